import assert from 'node:assert/strict';
import { countPayments } from '#counters/count-payments.ts';
import { COUNTERS } from '#counters/model/counters.ts';
import type { Database } from '#database/database.ts';
import type { TestDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';

export const ZONE = 'Asia/Kathmandu';

/** A count from the tables alone, in other words than those of the counters. */
const FROM_TABLES = `
  WITH changes AS (
    SELECT p.merchant_id, e.occurred_at AS at, e.status, p.created_at
    FROM payment_request_events e JOIN payment_requests p ON p.id = e.payment_request_id
  ), states AS (
    SELECT DISTINCT ON (p.id) p.merchant_id, p.created_at, e.status
    FROM payment_request_events e JOIN payment_requests p ON p.id = e.payment_request_id
    ORDER BY p.id, e.position DESC
  ), steps AS (
    SELECT DISTINCT t.payment_request_id, CASE
      WHEN t.type = 'LINK_OPENED' THEN 'opened'
      WHEN t.details->>'step' = 'INSTITUTION_CHOSEN' THEN 'institution_chosen'
      WHEN t.details->>'step' = 'SIGNED_IN' THEN 'signed_in'
      WHEN t.details->>'step' IN ('CONFIRMED', 'TRANSFER_SENT') THEN 'confirmed' END AS counter
    FROM payment_request_timeline t
  ), facts AS (
    SELECT merchant_id, at, lower(status) AS counter, 1 AS amount FROM changes
    WHERE status IN ('CREATED', 'PAID')
    UNION ALL
    SELECT merchant_id, created_at, replace(lower(status), 'paid', 'completed'), 1 FROM states
    WHERE status IN ('PAID', 'FAILED', 'EXPIRED', 'CANCELLED')
    UNION ALL
    SELECT p.merchant_id, p.created_at, s.counter, 1
    FROM steps s JOIN payment_requests p ON p.id = s.payment_request_id
    WHERE s.counter IS NOT NULL
    UNION ALL SELECT merchant_id, created_at, 'received_cents', amount_cents FROM ledger_entries
    WHERE type NOT IN ('RETURN', 'REFUND', 'REFUND_RETURN')
    UNION ALL SELECT merchant_id, created_at, 'paid_cents', amount_cents FROM ledger_entries
    WHERE type IN ('PAYMENT', 'LATE_PAYMENT')
      OR type = 'ASSIGNED' AND payment_request_id IS NOT NULL
    UNION ALL SELECT merchant_id, created_at, 'part_cents', amount_cents FROM ledger_entries
    WHERE type = 'PART_PAYMENT'
    UNION ALL SELECT merchant_id, created_at, 'waiting_cents', amount_cents FROM ledger_entries
    WHERE type IN ('UNMATCHED', 'SECOND_PAYMENT')
      OR type = 'ASSIGNED' AND payment_request_id IS NULL
    UNION ALL SELECT merchant_id, created_at, 'corrected_cents', amount_cents FROM ledger_entries
    WHERE type IN ('ADJUSTMENT', 'FEE')
    UNION ALL SELECT merchant_id, created_at, 'returned_cents', -amount_cents FROM ledger_entries
    WHERE type = 'RETURN'
    UNION ALL SELECT merchant_id, created_at, 'refunded_cents', -amount_cents FROM ledger_entries
    WHERE type IN ('REFUND', 'REFUND_RETURN')
  )
  SELECT owner || ' ' || to_char(to_timestamp(
           floor(extract(epoch FROM at) / 900) * 900) AT TIME ZONE 'UTC', 'DD HH24:MI')
         || ' ' || counter AS name, sum(amount)::int AS amount
  FROM facts, LATERAL (VALUES (merchant_id), ('')) all_owners (owner)
  WHERE owner IS NOT NULL GROUP BY 1 HAVING sum(amount) <> 0 ORDER BY 1`;

const COUNTED = `
  SELECT merchant_id || ' ' || to_char(quarter AT TIME ZONE 'UTC', 'DD HH24:MI') || ' ' || counter
         AS name, amount::int
  FROM payment_counters,
    LATERAL (VALUES ${COUNTERS.map((name) => `('${name}', ${name})`).join(', ')})
      counters (counter, amount)
  WHERE amount <> 0 ORDER BY 1`;

/** Times to pay, from the tables and counted: payments by owner. */
const TIMES_FROM_TABLES = `
  SELECT owner, count(*)::int AS paid
  FROM payment_request_events e JOIN payment_requests p ON p.id = e.payment_request_id,
    LATERAL (VALUES (p.merchant_id), ('')) all_owners (owner)
  WHERE e.status = 'PAID' GROUP BY 1 ORDER BY 1`;
const TIMES_COUNTED = `
  SELECT merchant_id AS owner, sum(paid)::int AS paid FROM payment_counter_times
  GROUP BY 1 ORDER BY 1`;

const OLDEST_OPEN = `
  SELECT NOT EXISTS (
    SELECT FROM (SELECT transaction_id FROM payment_request_events
                 UNION ALL SELECT transaction_id FROM payment_request_timeline
                 UNION ALL SELECT transaction_id FROM ledger_entries) written
    WHERE transaction_id >= pg_snapshot_xmin(pg_current_snapshot())) AS "canPass"`;

/** Asserts that the counters equal a count from the tables. */
export async function assertEqualsTables({ sql }: TestDatabase): Promise<void> {
  const fromTables = await sql(FROM_TABLES);
  assert.ok(fromTables.length > 0);
  assert.deepEqual(await sql(COUNTED), fromTables);
  assert.deepEqual(await sql(TIMES_COUNTED), await sql(TIMES_FROM_TABLES));
}

/** Counts until nothing is left; other databases' transactions may hold the counting back. */
export async function countAll(
  { sql }: TestDatabase,
  db: Pick<Database, 'transaction'>,
  rows = 3,
): Promise<void> {
  await eventually(async () => {
    const [state] = await sql<{ canPass: boolean }>(OLDEST_OPEN);
    return state?.canPass ?? false;
  }, 'the end of older transactions');
  while (await countPayments({ db, rows }));
}
