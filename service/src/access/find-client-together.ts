import type { Database } from '#database/database.ts';
import { gather } from '#database/gather.ts';
import { MOST_AT_ONCE } from '#database/look-up-together.ts';
import type { Clock } from '#lib/clock.ts';
import type { DatabaseMetrics } from '#telemetry/database-metrics.ts';
import { findClients, type StoredClient } from './access-store.ts';

/** A second's worth at full speed; whoever comes behind that had better come back. */
const MOST_WAITING = 2_000;

export type FindClient = (username: string) => Promise<StoredClient>;

export interface FindClientDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly metrics: DatabaseMetrics;
}

/** Makes the look at usernames that token calls share: one statement for those of a moment. */
export function findClientTogether({ db, clock, metrics }: FindClientDeps): FindClient {
  async function findAll(usernames: readonly string[]): Promise<StoredClient[]> {
    const distinct = [...new Set(usernames)];
    const found = await findClients(db, distinct, clock.now());
    const clients = new Map(distinct.map((username, index) => [username, found[index]]));
    return usernames.map((username) => clients.get(username) as StoredClient);
  }

  return gather({
    run: findAll,
    most: MOST_AT_ONCE,
    mostWaiting: MOST_WAITING,
    onRun: (size) => metrics.gathered('token', size),
  });
}
