import type { Executor, Statement } from '#database/database.ts';

/** The summing must not move its place meanwhile. The setting ends with the transaction. */
const CLAIM: Statement = {
  name: 'ledger-retention-claim',
  text: `SELECT set_config('payment_requests.retention', 'on', true)
         FROM ledger_day_sums_progress FOR UPDATE`,
};

/**
 * Deletes entries and keeps their sums. The sums of days (decision 0076) hold the entries that are
 * left, so that they can be made again from the ledger at any time; the loop does it if their place
 * is deleted, which only happens after years without money.
 */
const pruneWhere = (name: string, condition: string): Statement => ({
  name: `ledger-retention-prune-${name}`,
  text: `
    WITH place AS MATERIALIZED (SELECT transaction_id, position FROM ledger_day_sums_progress
    ), gone AS (DELETE FROM ledger_entries WHERE ${condition} RETURNING *
    ), kept AS (
      INSERT INTO ledger_pruned_sums AS s
        (merchant_id, day, type, currency, entries, amount_cents)
      SELECT coalesce(merchant_id, ''),
        coalesce(booking_date, (created_at AT TIME ZONE $2)::date), type, currency, count(*),
        sum(amount_cents)
      FROM gone GROUP BY 1, 2, 3, 4
      ON CONFLICT (merchant_id, day, type, currency) DO UPDATE
        SET entries = s.entries + excluded.entries,
            amount_cents = s.amount_cents + excluded.amount_cents
    ), summed AS (
      SELECT coalesce(merchant_id, '') AS merchant_id, booking_date IS NOT NULL AS is_booked,
        coalesce(booking_date, (created_at AT TIME ZONE 'UTC')::date) AS day, currency,
        sum(amount_cents) AS cents
      FROM gone, place
      WHERE (gone.transaction_id, gone.position) <= (place.transaction_id, place.position)
      GROUP BY 1, 2, 3, 4
    ), subtracted AS (
      UPDATE ledger_day_sums s SET amount_cents = s.amount_cents - summed.cents FROM summed
      WHERE (s.merchant_id, s.is_booked, s.day, s.currency)
          = (summed.merchant_id, summed.is_booked, summed.day, summed.currency)
    ), noted AS (
      UPDATE ledger_pruned SET transaction_id = newest.transaction_id
      FROM (SELECT max(transaction_id) AS transaction_id FROM gone) newest
      WHERE newest.transaction_id > ledger_pruned.transaction_id
    )
    SELECT count(*)::int AS count FROM gone`,
});

const OF_REQUESTS = pruneWhere('of-requests', 'payment_request_id = ANY ($1::uuid[])');

/** An operator's case may still settle the money; then its other entries are not over either. */
const IS_OVER = `e.payment_request_id IS NULL AND e.created_at <= $1::timestamptz
  AND NOT EXISTS (SELECT FROM operator_cases c
    WHERE (c.details ->> 'networkReference' = e.network_reference
           OR c.details -> 'networkReferences' ? e.network_reference) AND c.closed_at IS NULL)
  AND NOT EXISTS (SELECT FROM ledger_entries other
    WHERE other.network_reference = e.network_reference AND other.type = 'ASSIGNED'
      AND (other.payment_request_id IS NOT NULL OR other.created_at > $1::timestamptz))`;

const WITHOUT_REQUEST = pruneWhere(
  'without-request',
  `id IN (SELECT e.id FROM ledger_entries e WHERE ${IS_OVER} LIMIT $3)`,
);

const COUNT_WITHOUT_REQUEST: Statement = {
  name: 'ledger-retention-count-without-request',
  text: `SELECT count(*)::int AS count FROM ledger_entries e WHERE ${IS_OVER}`,
};

/**
 * Deletes the entries of payment requests that retention deletes in the same transaction.
 *
 * @param timeZone `TIME_ZONE`: the days of entries without a booking date
 * @returns how many
 */
export async function pruneEntriesOf(
  tx: Executor,
  paymentRequestIds: readonly string[],
  timeZone: string,
): Promise<number> {
  await tx.query(CLAIM);
  return countOf(await tx.query(OF_REQUESTS, [paymentRequestIds, timeZone]));
}

/** Deletes up to `limit` entries of before the horizon that name no payment request. */
export async function pruneEntriesWithoutRequest(
  tx: Executor,
  horizon: Date,
  timeZone: string,
  limit: number,
): Promise<number> {
  await tx.query(CLAIM);
  return countOf(await tx.query(WITHOUT_REQUEST, [horizon, timeZone, limit]));
}

/** How many entries `pruneEntriesWithoutRequest` would delete in the end. */
export async function countEntriesWithoutRequest(db: Executor, horizon: Date): Promise<number> {
  return countOf(await db.query(COUNT_WITHOUT_REQUEST, [horizon]));
}

function countOf([row]: { count?: number }[]): number {
  return row?.count ?? 0;
}
