import type { FastifyInstance } from 'fastify';
import { connectDatabase, type Database } from '#database/database.ts';
import { type OverviewReads, readPrimary } from '#database/replica/overview-reads.ts';
import type { MakeNetwork } from '#e-transfer/e-transfer-network.ts';
import type { Clock, DatabaseClock } from '#lib/clock.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { DatabaseReading } from '#telemetry/metrics/database-gauges.ts';
import { createMetrics, type Metrics } from '#telemetry/metrics/metrics.ts';
import type { Tracing } from '#telemetry/tracing/tracing.ts';
import type { Config } from '../config.ts';
import { SERVICE_VERSION } from '../version.ts';
import type { ClosingSteps } from './closing-steps.ts';
import { databaseReadings } from './database-readings.ts';
import { openOverviewReads } from './open-overview-reads.ts';
import { startTraces } from './start-traces.ts';

/** The work of one process: answer calls, run the loops, or both (contract §1). */
export const ROLES = ['api', 'background'] as const;
export type Role = (typeof ROLES)[number];

export interface ServiceOptions {
  readonly config: Config;
  readonly roles: readonly Role[];
  /** Follows the database's clock where it can; a test's clock cannot. */
  readonly clock: Clock | DatabaseClock;
  readonly log: Log;
  /**
   * The number of processes that share this machine's work under a parent, this one included; the
   * parent has the operators' listener. Left out: the only process, with a listener of its own.
   */
  readonly processes?: number;
  /** Makes another network than the configured one; for tests. */
  readonly makeNetwork?: MakeNetwork;
  /** Fills the gauges from the database; for tests. Left out: every reading. */
  readonly readings?: readonly DatabaseReading[];
  /** Registers routes of the public listener beside the app's own. */
  readonly registerMore?: ((app: FastifyInstance, foundation: Foundation) => void) | undefined;
}

/** The parts under every feature; made once a process. */
export interface Foundation extends Pick<ServiceOptions, 'config' | 'clock' | 'log'> {
  readonly db: Database;
  /** Lists and reports, which a replica may serve. */
  readonly reads: OverviewReads;
  readonly metrics: Metrics;
  /** null: no traces are exported. */
  readonly tracing: Tracing | null;
}

/** Starts metrics and traces, and opens the database's pool. */
export async function openFoundation(
  options: Pick<ServiceOptions, 'config' | 'clock' | 'log' | 'roles' | 'readings'>,
  closing: ClosingSteps,
): Promise<Foundation> {
  const { config, clock, log, roles, readings = databaseReadings(config) } = options;
  const { environment } = config;
  const metrics = createMetrics({ environment, version: SERVICE_VERSION });
  const tracing = await startTraces(config, metrics);
  if (tracing) closing.keep('traces', () => tracing.stop());
  const db = openDatabase(config);
  closing.keep('database connections', () => db.close());
  metrics.observePool(() => db.poolUse());
  metrics.observeDatabase({ db, clock, readings });
  // Background loops read nothing that may be old.
  const reads = roles.includes('api')
    ? await openOverviewReads({ config, clock, log, db, metrics }, closing)
    : readPrimary(db);
  return { config, clock, log, db, reads, metrics, tracing };
}

function openDatabase({ databaseUrl, databasePoolSize }: Config): Database {
  return connectDatabase({ url: databaseUrl, poolSize: databasePoolSize });
}
