import type { FastifyInstance } from 'fastify';
import type { Config } from '#config.ts';
import { connectDatabase, type Database } from '#database/database.ts';
import {
  createReplicaReads,
  type OverviewReads,
  readPrimary,
} from '#database/replica/overview-reads.ts';
import type { MakeNetwork } from '#e-transfer/e-transfer-network.ts';
import type { Clock, DatabaseClock } from '#lib/clock.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { DatabaseReading } from '#telemetry/metrics/database-gauges.ts';
import { createMetrics, type Metrics } from '#telemetry/metrics/metrics.ts';
import { startTracing, type Tracing } from '#telemetry/tracing/tracing.ts';
import { SERVICE_VERSION } from '#version.ts';
import type { ClosingSteps } from './closing-steps.ts';
import { databaseReadings } from './database-readings.ts';

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

/** Starts the export of traces where the configuration names a collector; null: it names none. */
function startTraces(config: Config, metrics: Metrics): Promise<Tracing | null> {
  const { environment } = config;
  const deployment = { environment, version: SERVICE_VERSION };
  return startTracing({ url: tracesUrl(config), deployment, metrics });
}

/** By the rules of OpenTelemetry: the base address gets the signal's path. */
function tracesUrl({
  otelExporterOtlpEndpoint: base,
  otelExporterOtlpTracesEndpoint: whole,
}: Config): string | null {
  if (whole !== null) return whole;
  return base === null ? null : `${base.replace(/\/+$/, '')}/v1/traces`;
}

/** Opens the replica of `DATABASE_REPLICA_URL`, if there is one, for lists and reports. */
async function openOverviewReads(
  { config, clock, log, db, metrics }: Omit<Foundation, 'reads' | 'tracing'>,
  closing: ClosingSteps,
): Promise<OverviewReads> {
  const { databaseReplicaUrl: url, databaseReplicaLag, databasePoolSize: poolSize } = config;
  if (url === null) return readPrimary(db);
  const replica = connectDatabase({ url, poolSize });
  closing.keep('replica connections', () => replica.close());
  const reads = createReplicaReads({
    primary: db,
    replica,
    clock,
    mostLagMs: databaseReplicaLag * 1_000,
    onChange(isUsed, reason) {
      if (isUsed) log.info({}, 'the replica serves lists and reports');
      else log.warn({ settings: ['DATABASE_REPLICA_URL'], reason }, 'the replica is not used');
    },
  });
  metrics.observeReplica(() => reads.lagSeconds());
  const loop = await reads.start();
  closing.keep('replica comparison', () => loop.stop());
  return reads;
}
