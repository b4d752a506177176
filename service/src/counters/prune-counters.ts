import type { Executor } from '#database/database.ts';
import { deleteOldCounters } from './counters-store.ts';

/** Pages show 30 days; a year is there for comparisons by an operator's SQL. */
const KEPT_DAYS = 400;
/** A statement of some milliseconds. */
const BATCH = 1_000;

/** Deletes counters of more than 400 days ago. @returns whether more may be left */
export async function pruneCounters(db: Executor): Promise<boolean> {
  return (await deleteOldCounters(db, KEPT_DAYS, BATCH)) === BATCH;
}
