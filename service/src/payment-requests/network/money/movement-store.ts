import type { Executor, Statement } from '#database/database.ts';
import { firstRowOrNull } from '#database/statements.ts';
import type { MovementFacts } from '#payment-requests/model/money/waiting.ts';
import { sqlListOfHoldingKinds } from '#payment-requests/status/money-case-store.ts';
import {
  emptyMovementIndex,
  isHeld,
  type KnownMovement,
  type MovementIndex,
  rememberMovement,
} from './movement-index.ts';

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

interface FoundMovement extends Omit<KnownMovement, 'networkReference'> {
  readonly place: number;
  readonly reference: string;
}

/**
 * Locks network references until the transaction ends, and finds the money that has moved under
 * each of them.
 */
export async function lockMovements(
  tx: Executor,
  references: readonly string[],
): Promise<MovementIndex> {
  if (references.length === 0) return emptyMovementIndex();
  // Two statements: the second one's snapshot is taken after the locks.
  await tx.query(LOCK_REFERENCES, [JSON.stringify(references)]);
  return findMovements(tx, references);
}

/**
 * Finds the money that has moved under network references, and what became of money that was held
 * for an operator. The caller holds the locks that it needs.
 */
export async function findMovements(
  db: Executor,
  references: readonly string[],
): Promise<MovementIndex> {
  const known = emptyMovementIndex();
  if (references.length === 0) return known;
  const rows = await db.query<FoundMovement>(FIND, [JSON.stringify(references)]);
  for (const { reference, ...row } of rows) {
    rememberMovement(known, { ...row, networkReference: reference });
  }
  const held = [...known.incoming.values()].filter(isHeld);
  const facts = await findMovementFacts(
    db,
    held.map(({ networkReference }) => networkReference),
  );
  for (const [reference, found] of facts) known.facts.set(reference, found);
  return known;
}

/**
 * Every return of a payment, and every return of money that is part of no sum, has opened a case
 * MONEY_RETURNED. Each part reads an index of its own.
 */
const FIND_FACTS: Statement = {
  name: 'network-reference-find-facts',
  text: `SELECT asked.value AS reference,
      coalesce((SELECT sum(r.amount_cents) FROM refunds r
                WHERE r.movement_reference = asked.value AND r.status <> 'FAILED'), 0)::bigint
        AS "givenBackCents",
      coalesce((SELECT sum((c.details ->> 'returnedCents')::bigint) FROM operator_cases c
                WHERE c.kind = 'MONEY_RETURNED'
                  AND c.details ->> 'returnedReference' = asked.value), 0)::bigint
        AS "takenBackCents",
      coalesce((SELECT json_agg(json_build_object('id', c.id,
                  'paymentRequestId', c.payment_request_id,
                  'isOpen', c.closed_at IS NULL, 'settlement', c.settlement))
                FROM operator_cases c
                WHERE c.kind IN (${sqlListOfHoldingKinds()})
                  AND (c.details ->> 'networkReference' = asked.value
                       OR c.details -> 'networkReferences' ? asked.value)), '[]') AS cases
    FROM json_array_elements_text($1::json) AS asked`,
};

/** The outcome of each of these movements: refunds, returns, and the cases that name it. */
export async function findMovementFacts(
  db: Executor,
  references: readonly string[],
): Promise<ReadonlyMap<string, MovementFacts>> {
  if (references.length === 0) return new Map();
  type Row = MovementFacts & { readonly reference: string };
  const rows = await db.query<Row>(FIND_FACTS, [JSON.stringify(references)]);
  return new Map(rows.map(({ reference, ...facts }) => [reference, facts]));
}

/** The last part that has arrived for an unpaid payment request. */
export const findLastPart = firstRowOrNull<
  { networkReference: string; at: Date },
  [paymentRequestId: string]
>(
  'ledger-find-last-part',
  `SELECT network_reference AS "networkReference", created_at AS at FROM ledger_entries
   WHERE payment_request_id = $1 AND type IN ('PART_PAYMENT', 'ASSIGNED')
     AND amount_cents > 0
   ORDER BY position DESC LIMIT 1`,
);
