import type { Executor } from '#database/database.ts';
import type { LedgerOwner } from '#ledger/entries/ledger-cursor.ts';
import type { EntryType } from '#ledger/model/entry.ts';
import type { Horizon, ReportDay } from './report-store.ts';

/** The entries of one owner, type and currency on a day. */
export interface OwnerSum {
  /** null: money for which no merchant can be named. */
  readonly owner: LedgerOwner;
  readonly type: EntryType;
  readonly currency: string;
  readonly count: number;
  readonly amountCents: number;
  /** Entries that name no payment request. */
  readonly openCount: number;
}

const ENTRY = `merchant_id, type, currency, amount_cents, payment_request_id, 1 AS entries,
        false AS is_sum`;
const PRUNED = `nullif(merchant_id, ''), type, currency, amount_cents, NULL::uuid, entries, true`;
const BOOKED = 'booking_date IS NOT NULL AND booking_date = $1::date';
const CREATED = `booking_date IS NULL AND created_at >= $2::timestamptz
        AND created_at < $3::timestamptz`;
const BELOW = 'transaction_id < $4::xid8';

/** The indexes of days begin with the merchant: a thousand merchants take milliseconds. */
const SUM_ALL = `
  SELECT merchant_id AS owner, type, currency, sum(entries)::int AS count,
    sum(amount_cents)::bigint AS "amountCents",
    count(*) FILTER (WHERE payment_request_id IS NULL AND NOT is_sum)::int AS "openCount"
  FROM (
    SELECT e.* FROM merchants m CROSS JOIN LATERAL (
      SELECT ${ENTRY} FROM ledger_entries WHERE merchant_id = m.id AND ${BOOKED} AND ${BELOW}
      UNION ALL
      SELECT ${ENTRY} FROM ledger_entries WHERE merchant_id = m.id AND ${CREATED} AND ${BELOW}) e
    UNION ALL
    SELECT ${ENTRY} FROM ledger_entries WHERE merchant_id IS NULL AND ${BOOKED} AND ${BELOW}
    UNION ALL
    SELECT ${ENTRY} FROM ledger_entries WHERE merchant_id IS NULL AND ${CREATED} AND ${BELOW}
    UNION ALL
    SELECT p.* FROM (SELECT id FROM merchants UNION ALL SELECT '') m CROSS JOIN LATERAL (
      SELECT ${PRUNED} FROM ledger_pruned_sums WHERE merchant_id = m.id AND day = $1::date) p
  ) day_entries GROUP BY 1, 2, 3 ORDER BY 1 NULLS LAST, 2, 3`;

/** The sums of a day of every owner with entries on it. */
export function sumDayOfAll(
  db: Executor,
  { date, startsAt, endsAt }: ReportDay,
  { below }: Horizon,
): Promise<OwnerSum[]> {
  const values = [date, startsAt, endsAt, below];
  return db.query<OwnerSum>({ name: '', text: SUM_ALL }, values);
}
