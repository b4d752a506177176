import { allRows } from '#database/statements.ts';
import type { RefundStatus } from '#refunds/model/statuses.ts';

/** The statuses of a merchant's newest refunds, up to a bound, with their numbers. */
export const countNewestRefunds = allRows<
  { readonly status: RefundStatus; readonly number: number },
  [merchantId: string, most: number]
>(
  'refund-count-newest',
  `SELECT status, count(*)::int AS number FROM (
     SELECT status FROM refunds WHERE merchant_id = $1
     ORDER BY created_at DESC, id DESC LIMIT $2) newest
   GROUP BY status`,
);
