import type { Executor } from '#database/database.ts';
import { createLivePages, type LivePages } from '#http/live/live-pages.ts';
import type { Clock } from '#lib/clock.ts';
import { findCounterVersions } from './counters-store.ts';
import { ALL_MERCHANTS } from './model/counters.ts';

/** Counters change every 3 s; all open pages of a process share a statement. */
const SWEEP_MS = 3_000;

/** The id of the page of all merchants; no merchant's id has an asterisk. */
export const ALL_MERCHANTS_PAGE = '*';

/** Notifies open overviews of new figures. A process without open pages sends no statement. */
export function followCounters({
  db,
  clock,
}: {
  readonly db: Executor;
  readonly clock: Clock;
}): LivePages {
  return createLivePages({
    clock,
    sweepMs: SWEEP_MS,
    async findVersions(ids) {
      const owners = ids.map((id) => (id === ALL_MERCHANTS_PAGE ? ALL_MERCHANTS : id));
      const versions = await findCounterVersions(db, owners);
      return new Map(ids.map((id, index) => [id, versions.get(owners[index] ?? '') ?? 0]));
    },
  });
}
