import { COMMIT_BOUNDS } from '#database/commit-order/commit-cursor.ts';
import type { Executor, Statement } from '#database/database.ts';
import { IS_PLACE_OF_LEDGER } from '#ledger/day-sums/day-sums-store.ts';
import { type Bind, ownerCondition } from '#ledger/entries/entry-store.ts';
import type { LedgerOwner } from '#ledger/entries/ledger-cursor.ts';

/** The place up to which the sums hold the ledger; no row while no report uses the sums. */
const WITH_PLACE = `${COMMIT_BOUNDS}, place AS MATERIALIZED (
      SELECT p.transaction_id, p.position FROM bounds, ledger_day_sums_progress p
      WHERE ${IS_PLACE_OF_LEDGER})`;

const UTC_DAY = `(created_at AT TIME ZONE 'UTC')::date`;

/** Each bound is one look into an index of the ledger, or the few sums of the owner. */
const boundsOf = (owner: string, entries: string, sums: string) => `
  SELECT ${owner} AS owner,
    least((SELECT min(booking_date) FROM ledger_entries
             WHERE ${entries} AND booking_date IS NOT NULL),
          (SELECT min(created_at) AT TIME ZONE 'UTC' FROM ledger_entries
             WHERE ${entries} AND booking_date IS NULL)::date,
          (SELECT min(day) FROM ledger_day_sums WHERE merchant_id = ${sums})) AS first,
    greatest((SELECT max(booking_date) FROM ledger_entries
                WHERE ${entries} AND booking_date IS NOT NULL),
             (SELECT max(created_at) AT TIME ZONE 'UTC' FROM ledger_entries
                WHERE ${entries} AND booking_date IS NULL)::date,
             (SELECT max(day) FROM ledger_day_sums WHERE merchant_id = ${sums})) AS last`;

const LIST_OWNERS: Statement = {
  name: 'doctor-list-day-sum-owners',
  text: `
    ${WITH_PLACE}
    SELECT owner, first, last FROM (
      ${boundsOf('m.id', 'merchant_id = m.id', 'm.id')} FROM merchants m
      UNION ALL
      ${boundsOf('NULL', 'merchant_id IS NULL', `''`)}) owners
    WHERE first IS NOT NULL AND EXISTS (SELECT FROM place) ORDER BY owner NULLS LAST`,
};

/** The days, as in `2026-03-01`, on which an owner has entries or sums. */
export interface OwnerDays {
  readonly owner: LedgerOwner;
  readonly first: string;
  readonly last: string;
}

/** None while no report uses the sums: they are made again after a restore from a dump. */
export function listOwnerDays(db: Executor): Promise<OwnerDays[]> {
  return db.query<OwnerDays>(LIST_OWNERS);
}

/**
 * An entry counts up to the place of the sums, which moves with them in one transaction. The
 * indexes of days hold all columns; the entries of the place's own transaction are read by place.
 */
function compareStatement(owner: LedgerOwner, from: string, days: number) {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const ours = ownerCondition(owner, bind);
  const first = `${bind(from)}::date`;
  const end = `(${first} + ${bind(days)}::int)`;
  const isWithin = (day: string) => `${day} >= ${first} AND ${day} < ${end}`;
  const before = 'transaction_id < (SELECT transaction_id FROM place)';
  const text = `
    ${WITH_PLACE}, entries AS (
      SELECT true AS is_booked, booking_date AS day, currency, amount_cents FROM ledger_entries
      WHERE ${ours} AND booking_date IS NOT NULL AND ${isWithin('booking_date')} AND ${before}
      UNION ALL
      SELECT false, ${UTC_DAY}, currency, amount_cents FROM ledger_entries
      WHERE ${ours} AND booking_date IS NULL AND ${before}
        AND created_at >= ${first}::timestamp AT TIME ZONE 'UTC'
        AND created_at < ${end}::timestamp AT TIME ZONE 'UTC'
      UNION ALL
      SELECT booking_date IS NOT NULL, coalesce(booking_date, ${UTC_DAY}), currency, amount_cents
      FROM ledger_entries
      WHERE ${ours} AND transaction_id = (SELECT transaction_id FROM place)
        AND position <= (SELECT position FROM place)
        AND ${isWithin(`coalesce(booking_date, ${UTC_DAY})`)}
    ), counted AS (
      SELECT is_booked, day, currency, sum(amount_cents) AS cents FROM entries GROUP BY 1, 2, 3
    ), summed AS (
      SELECT is_booked, day, currency, amount_cents FROM ledger_day_sums
      WHERE merchant_id = ${bind(owner ?? '')} AND ${isWithin('day')}
    )
    SELECT (SELECT count(*) FROM summed) AS sums,
           CASE WHEN EXISTS (SELECT FROM place) THEN array(
             SELECT DISTINCT day::text || ' ' || currency
             FROM counted FULL JOIN summed USING (is_booked, day, currency)
             WHERE coalesce(cents, 0) <> coalesce(amount_cents, 0) ORDER BY 1)
           ELSE '{}' END AS wrong`;
  return { text, values };
}

export interface ComparedDays {
  readonly sums: number;
  /** Days and currencies, as in `2026-03-01 CAD`. */
  readonly wrong: readonly string[];
}

/** Compares an owner's sums of some days with the ledger entries of these days. */
export async function compareDaySums(
  db: Executor,
  owner: LedgerOwner,
  from: string,
  days: number,
): Promise<ComparedDays> {
  const { text, values } = compareStatement(owner, from, days);
  // Without a name, so that PostgreSQL plans for these days.
  const [row] = await db.query<ComparedDays>({ name: '', text }, values);
  if (!row) throw new Error('the database gave no row');
  return row;
}
