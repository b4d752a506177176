import type { Executor } from '#database/database.ts';
import { canExpire, STATUSES, type Status, sqlListOf } from '#payment-requests/model/statuses.ts';

/** Expiries are written within a second: more than these are unwritten in an outage alone. */
const MOST_UNWRITTEN = 1_000;

/** A status in the text and the order of its index: a plan for any status reads whole tables. */
const countOf = (status: Status) => `
  SELECT '${status}' AS status, count(*)::int AS number FROM (
    SELECT FROM payment_requests WHERE merchant_id = $1 AND status = '${status}'
    ORDER BY created_at DESC, id DESC LIMIT $2) counted`;

/** Reads the index of each status up to the bound, and the expiries that no timer has written. */
const COUNT = {
  name: 'payment-requests-count-by-status',
  text: `${STATUSES.map(countOf).join(' UNION ALL ')}
         UNION ALL
         SELECT 'UNWRITTEN', count(*)::int FROM (
           SELECT merchant_id FROM payment_requests
           WHERE status IN (${sqlListOf(canExpire)}) AND expires_at <= $3
           ORDER BY expires_at LIMIT ${MOST_UNWRITTEN}) due WHERE merchant_id = $1`,
};

export type StatusCounts = Readonly<Record<Status | 'UNWRITTEN', number>>;

/** Counts a merchant's payment requests of each status as stored, up to a bound each. */
export async function countByStatus(
  db: Executor,
  merchantId: string,
  { most, now }: { readonly most: number; readonly now: Date },
): Promise<StatusCounts> {
  type Row = { readonly status: keyof StatusCounts; readonly number: number };
  const rows = await db.query<Row>(COUNT, [merchantId, most, now]);
  return Object.fromEntries(rows.map(({ status, number }) => [status, number])) as StatusCounts;
}
