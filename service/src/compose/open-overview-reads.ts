import { connectDatabase, type Database } from '#database/database.ts';
import {
  createReplicaReads,
  type OverviewReads,
  readPrimary,
} from '#database/replica/overview-reads.ts';
import type { Clock, DatabaseClock } from '#lib/clock.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import type { Config } from '../config.ts';
import type { ClosingSteps } from './closing-steps.ts';

interface OverviewDeps {
  readonly config: Config;
  readonly clock: Clock | DatabaseClock;
  readonly log: Log;
  readonly db: Database;
  readonly metrics: Metrics;
}

/** Opens the replica of `DATABASE_REPLICA_URL`, if there is one, for lists and reports. */
export async function openOverviewReads(
  { config, clock, log, db, metrics }: OverviewDeps,
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
