import type { Executor } from '#database/database.ts';
import { REFUND_STATUSES, type RefundStatus } from '#refunds/model/statuses.ts';
import { countNewestRefunds } from './count-store.ts';

/** A person needs no exact number beyond; so many rows in memory take some 10 ms. */
export const MOST_COUNTED_REFUNDS = 10_000;

/** Counts a merchant's refunds of each status; null: there are more than 10,000. */
export async function countRefunds(
  db: Executor,
  merchantId: string,
): Promise<Readonly<Record<RefundStatus, number>> | null> {
  const counted = await countNewestRefunds(db, merchantId, MOST_COUNTED_REFUNDS + 1);
  if (counted.reduce((sum, { number }) => sum + number, 0) > MOST_COUNTED_REFUNDS) return null;
  const none = Object.fromEntries(REFUND_STATUSES.map((status) => [status, 0]));
  const found = Object.fromEntries(counted.map(({ status, number }) => [status, number]));
  return { ...none, ...found } as Record<RefundStatus, number>;
}
