import type { Executor } from '#database/database.ts';
import { nextDate, startOfDate } from '#ledger/model/day.ts';
import { findHorizon } from './report-store.ts';
import { type OwnerSum, sumDayOfAll } from './sum-all-store.ts';

export type { OwnerSum };

/**
 * The sums of a day of all merchants, and of money without one: the `totals` of all their reports.
 *
 * @param date a date that exists
 */
export async function sumAll(
  { db, timeZone }: { readonly db: Executor; readonly timeZone: string },
  date: string,
): Promise<OwnerSum[]> {
  const day = {
    date,
    startsAt: startOfDate(date, timeZone),
    endsAt: startOfDate(nextDate(date), timeZone),
  };
  // The bound is the same for all owners.
  const horizon = await findHorizon(db, null, null);
  return sumDayOfAll(db, day, horizon);
}
