import { COMMIT_BOUNDS } from '#database/commit-order/commit-cursor.ts';
import { firstRow, oneRow } from '#database/statements.ts';
import { IS_PLACE_OF_LEDGER } from '#ledger/day-sums/day-sums-store.ts';

/** The place up to which the sums hold the ledger; no row while no report uses the sums. */
const WITH_PLACE = `${COMMIT_BOUNDS}, place AS MATERIALIZED (
      SELECT p.transaction_id, p.position FROM bounds, ledger_day_sums_progress p
      WHERE ${IS_PLACE_OF_LEDGER})`;

const UTC_DAY = `(created_at AT TIME ZONE 'UTC')::date`;
const BOOKED = 'booking_date IS NOT NULL';
const UNBOOKED = 'booking_date IS NULL';

/** The indexes of days begin with the merchant: each bound is one look into an index. */
const boundsOf = (owner: string) => `
  SELECT least((SELECT min(booking_date) FROM ledger_entries WHERE ${owner} AND ${BOOKED}),
               (SELECT min(created_at) AT TIME ZONE 'UTC' FROM ledger_entries
                WHERE ${owner} AND ${UNBOOKED})::date) AS first,
         greatest((SELECT max(booking_date) FROM ledger_entries WHERE ${owner} AND ${BOOKED}),
                  (SELECT max(created_at) AT TIME ZONE 'UTC' FROM ledger_entries
                   WHERE ${owner} AND ${UNBOOKED})::date) AS last`;

export interface LedgerDays {
  /** A day, as in `2026-03-01`; null: there are neither entries nor sums. */
  readonly first: string | null;
  readonly last: string | null;
}

/** @returns undefined while no report uses the sums: a restored dump has them made again */
export const findLedgerDays = firstRow<LedgerDays>(
  'doctor-find-ledger-days',
  `${WITH_PLACE}
   SELECT min(first) AS first, max(last) AS last FROM (
     SELECT b.* FROM merchants m CROSS JOIN LATERAL (${boundsOf('merchant_id = m.id')}) b
     UNION ALL
     ${boundsOf('merchant_id IS NULL')}
     UNION ALL
     SELECT min(day), max(day) FROM ledger_day_sums) days
   HAVING EXISTS (SELECT FROM place)`,
);

/** The entries of an owner before the place's transaction, by indexes that hold all columns. */
const entriesOf = (owner: string) => `
  SELECT true AS is_booked, booking_date AS day, currency, amount_cents FROM ledger_entries
  WHERE ${owner} AND ${BOOKED} AND booking_date >= $1::date AND booking_date < $2::date
    AND transaction_id < (SELECT transaction_id FROM place)
  UNION ALL
  SELECT false, ${UTC_DAY}, currency, amount_cents FROM ledger_entries
  WHERE ${owner} AND ${UNBOOKED} AND created_at >= $1::date::timestamp AT TIME ZONE 'UTC'
    AND created_at < $2::date::timestamp AT TIME ZONE 'UTC'
    AND transaction_id < (SELECT transaction_id FROM place)`;

export interface ComparedDays {
  /** The number of sums. */
  readonly examined: number;
  /** A merchant, day and currency, as in `mer_1 2026-03-01 CAD`. */
  readonly wrong: readonly string[];
}

/**
 * Compares the sums of the days from `first` to before `end` with the entries of these days.
 *
 * An entry counts up to the place of the sums, which moves with them in one transaction. A missing
 * merchant is a fault of the references. Without a name, so that PostgreSQL plans for these days.
 */
export const compareDaySums = oneRow<ComparedDays, [first: string, end: string]>(
  '',
  `${WITH_PLACE}, counted AS (
     SELECT merchant_id, is_booked, day, currency, sum(amount_cents) AS cents FROM (
       SELECT m.id COLLATE "C" AS merchant_id, e.*
       FROM merchants m CROSS JOIN LATERAL (${entriesOf('merchant_id = m.id')}) e
       UNION ALL
       SELECT '', e.* FROM (${entriesOf('merchant_id IS NULL')}) e
       UNION ALL
       SELECT coalesce(merchant_id, ''), ${BOOKED}, coalesce(booking_date, ${UTC_DAY}), currency,
              amount_cents
       FROM ledger_entries
       WHERE transaction_id = (SELECT transaction_id FROM place)
         AND position <= (SELECT position FROM place)
         AND coalesce(booking_date, ${UTC_DAY}) >= $1::date
         AND coalesce(booking_date, ${UTC_DAY}) < $2::date) entries
     GROUP BY 1, 2, 3, 4
   ), summed AS (
     SELECT * FROM ledger_day_sums WHERE day >= $1::date AND day < $2::date
   )
   SELECT (SELECT count(*) FROM summed) AS examined,
          CASE WHEN EXISTS (SELECT FROM place) THEN array(
            SELECT DISTINCT coalesce(nullif(merchant_id, ''), 'no merchant') || ' ' || day
                            || ' ' || currency
            FROM counted FULL JOIN summed USING (merchant_id, is_booked, day, currency)
            WHERE coalesce(cents, 0) <> coalesce(amount_cents, 0)
              AND (merchant_id = '' OR merchant_id IN (SELECT id FROM merchants)) ORDER BY 1)
          ELSE '{}' END AS wrong`,
  'the database gave no row',
);
