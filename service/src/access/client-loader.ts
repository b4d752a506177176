import { batchLookups } from '#database/batch-lookups.ts';
import type { DatabaseDeps } from '#database/database.ts';
import type { DatabaseMetrics } from '#telemetry/metrics/database-metrics.ts';
import { findClients, type StoredClient } from './access-store.ts';

/** The calls of one second at full speed; a caller behind them should retry. */
const MAX_QUEUE = 2_000;

export type FindClient = (username: string) => Promise<StoredClient>;

export interface FindClientDeps extends DatabaseDeps {
  readonly metrics: DatabaseMetrics;
}

/** Creates the look-up of usernames for token calls: one statement for each batch of calls. */
export function findClientTogether({ db, clock, metrics }: FindClientDeps): FindClient {
  const find = batchLookups<StoredClient>({
    db,
    find: async (executor, usernames) => {
      const found = await findClients(executor, usernames, clock.now());
      return new Map(found.map((client, index) => [usernames[index] ?? '', client]));
    },
    maxQueue: MAX_QUEUE,
    onBatch: (size) => metrics.batched('token', size),
  });
  // Every username has a row, known or unknown.
  return (username) => find(username) as Promise<StoredClient>;
}
