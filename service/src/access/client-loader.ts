import { batchLookups } from '#database/batch-lookups.ts';
import type { Database } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { DatabaseMetrics } from '#telemetry/metrics/database-metrics.ts';
import { findClients, type StoredClient } from './access-store.ts';

/** A second's worth at full speed; whoever comes behind that had better come back. */
const MAX_QUEUE = 2_000;

export type FindClient = (username: string) => Promise<StoredClient>;

export interface FindClientDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly metrics: DatabaseMetrics;
}

/** Makes the look at usernames that token calls share: one statement for those of a moment. */
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
  // Every username has a row, known or not.
  return (username) => find(username) as Promise<StoredClient>;
}
