import type { Executor } from '#database/database.ts';
import { canExpire, STATUSES, type Status } from '#payment-requests/model/statuses.ts';
import { countByStatus } from './count-store.ts';

/** A person needs no exact number beyond; the entries of an index up to here take 2 ms. */
export const MOST_COUNTED_REQUESTS = 10_000;

/**
 * Counts a merchant's payment requests of each status as lists show them: an expiry that has passed
 * counts as EXPIRED. A number above 10,000 says that there are more.
 */
export async function countRequests(
  db: Executor,
  merchantId: string,
  now: Date,
): Promise<Readonly<Record<Status, number>>> {
  // More than the bound is read: without unwritten expiries a long count stays above the bound.
  const most = MOST_COUNTED_REQUESTS * 1.1 + 1;
  const { UNWRITTEN, ...counts } = await countByStatus(db, merchantId, { most, now });
  const shown = (status: Status) => {
    if (status === 'EXPIRED') return counts.EXPIRED + UNWRITTEN;
    return canExpire(status) ? counts[status] - UNWRITTEN : counts[status];
  };
  return Object.fromEntries(STATUSES.map((status) => [status, shown(status)])) as typeof counts;
}
