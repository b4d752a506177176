import type { Executor, Statement } from '#database/database.ts';
import type { EntryType } from '#ledger/model/entry.ts';
import { type KnownMoney, noKnownMoney, rememberMovement } from './known-money.ts';

/** In the order of the keys, so that two transactions with the same references cannot deadlock. */
const LOCK_REFERENCES: Statement = {
  name: 'network-reference-lock',
  text: `SELECT pg_advisory_xact_lock(key) FROM (
           SELECT DISTINCT hashtextextended('network reference ' || value, 0) AS key
           FROM json_array_elements_text($1::json) ORDER BY key) AS keys`,
};

const INCOMING = `('PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT', 'SECOND_PAYMENT', 'UNMATCHED')`;

/**
 * Each part reads an index of its own. An assignment takes money from its place to another one: a
 * part of a split comes to no payment request when it waits. The last part has what was PAID before
 * the ledger; its rows come first, so that the ledger's replace them. A reference that has paid
 * several payment requests, which the lock prevents, has the first.
 */
const FIND: Statement = {
  name: 'network-reference-find-movements',
  text: `WITH asked AS MATERIALIZED (
      SELECT value AS reference FROM json_array_elements_text($1::json))
    SELECT * FROM (
      SELECT 2 AS place, network_reference AS reference, type, amount_cents AS "amountCents",
             currency, payment_request_id AS "paymentRequestId", merchant_id AS "merchantId",
             bank_reference AS "bankReference", booking_date AS "bookingDate", created_at AS at
      FROM ledger_entries
      WHERE network_reference IN (SELECT reference FROM asked) AND type IN ${INCOMING}
      UNION ALL
      SELECT CASE WHEN amount_cents < 0 THEN 4 WHEN payment_request_id IS NULL THEN 3 ELSE 5 END,
             network_reference,
             CASE WHEN amount_cents > 0 AND payment_request_id IS NULL THEN 'UNMATCHED'
                  ELSE type END,
             abs(amount_cents), currency, payment_request_id, merchant_id,
             bank_reference, booking_date, created_at
      FROM ledger_entries
      WHERE network_reference IN (SELECT reference FROM asked) AND type = 'ASSIGNED'
      UNION ALL
      SELECT 6, network_reference, type, abs(amount_cents), currency, payment_request_id,
             merchant_id, bank_reference, booking_date, created_at
      FROM ledger_entries
      WHERE network_reference IN (SELECT reference FROM asked) AND type = 'ADJUSTMENT'
      UNION ALL
      SELECT 3, network_reference, type, -amount_cents, currency, payment_request_id, merchant_id,
             bank_reference, booking_date, created_at
      FROM ledger_entries
      WHERE network_reference IN (SELECT reference FROM asked) AND type = 'RETURN'
      UNION ALL
      SELECT 1, payment_network_reference, 'PAYMENT', amount_cents, NULL, id, merchant_id, NULL,
             NULL, payment_completed_at
      FROM payment_requests
      WHERE payment_network_reference IN (SELECT reference FROM asked)
    ) found ORDER BY place, at DESC`,
};

interface FoundMovement {
  readonly place: number;
  readonly reference: string;
  readonly type: EntryType;
  readonly amountCents: number;
  readonly currency: string | null;
  readonly paymentRequestId: string | null;
  readonly merchantId: string | null;
  readonly bankReference: string | null;
  readonly bookingDate: string | null;
  readonly at: Date;
}

/**
 * Locks network references until the transaction ends, and finds the money that has moved under
 * each of them.
 */
export async function lockMovements(
  tx: Executor,
  references: readonly string[],
): Promise<KnownMoney> {
  if (references.length === 0) return noKnownMoney();
  const values = [JSON.stringify(references)];
  // Two statements: the second one's snapshot is taken after the locks.
  await tx.query(LOCK_REFERENCES, values);
  return findMovements(tx, references);
}

/** Like `lockMovements`, and locks nothing: another transaction may settle the money meanwhile. */
export async function findMovements(
  db: Executor,
  references: readonly string[],
): Promise<KnownMoney> {
  const known = noKnownMoney();
  if (references.length === 0) return known;
  const rows = await db.query<FoundMovement>(FIND, [JSON.stringify(references)]);
  for (const { reference, ...row } of rows) {
    rememberMovement(known, { ...row, networkReference: reference });
  }
  return known;
}

/** The index operator_cases_once leads to the cases of the kind. */
const FIND_TAKEN_BACK: Statement = {
  name: 'operator-case-find-taken-back',
  text: `SELECT details ->> 'returnedReference' AS reference,
           sum((details ->> 'returnedCents')::bigint)::bigint AS cents
         FROM operator_cases
         WHERE kind = 'MONEY_RETURNED' AND details ->> 'returnedReference' = ANY ($1::text[])
         GROUP BY 1`,
};

/**
 * The cents that were taken back of each of these movements. Every return of a payment, and every
 * return of money that is part of no sum, has opened a case; a return of a part lowers its sum.
 */
export async function findTakenBack(
  tx: Executor,
  references: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (references.length === 0) return new Map();
  const rows = await tx.query<{ reference: string; cents: number }>(FIND_TAKEN_BACK, [references]);
  return new Map(rows.map(({ reference, cents }) => [reference, cents]));
}

const FIND_LAST_PART: Statement = {
  name: 'ledger-find-last-part',
  text: `SELECT network_reference AS "networkReference", created_at AS at FROM ledger_entries
         WHERE payment_request_id = $1 AND type IN ('PART_PAYMENT', 'ASSIGNED')
           AND amount_cents > 0
         ORDER BY position DESC LIMIT 1`,
};

/** The last part that has arrived for an unpaid payment request. */
export async function findLastPart(
  tx: Executor,
  paymentRequestId: string,
): Promise<{ readonly networkReference: string; readonly at: Date } | null> {
  const [row] = await tx.query<{ networkReference: string; at: Date }>(FIND_LAST_PART, [
    paymentRequestId,
  ]);
  return row ?? null;
}
