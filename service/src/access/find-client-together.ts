import type { Database } from '#database/database.ts';
import { gather } from '#database/gather.ts';
import type { Clock } from '#lib/clock.ts';
import type { DatabaseMetrics } from '#telemetry/database-metrics.ts';
import { findClients, type StoredClient } from './access-store.ts';

/** A row each, of a few hundred bytes. */
const MOST_AT_ONCE = 100;
/** One statement is read while the next one runs; more would take connections from writes. */
const LANES = 2;
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
  return gather({
    run: (usernames: readonly string[]) => findClients(db, usernames, clock.now()),
    most: MOST_AT_ONCE,
    lanes: LANES,
    mostWaiting: MOST_WAITING,
    onRun: (size) => metrics.gathered('token', size),
  });
}
