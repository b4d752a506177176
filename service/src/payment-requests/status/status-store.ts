import type { Executor, Statement } from '#database/database.ts';
import { currentCall } from '#lib/call-context.ts';
import { findPaymentRequest, findPaymentRequests } from '#payment-requests/lookup/find-store.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { PlannedMove } from './plan-change.ts';

const LOCK: Statement = {
  name: 'payment-request-lock',
  text: 'SELECT id FROM payment_requests WHERE id = $1 FOR UPDATE',
};

const LOCK_OF_MERCHANT: Statement = {
  name: 'payment-request-lock-of-merchant',
  text: 'SELECT id FROM payment_requests WHERE id = $1 AND merchant_id = $2 FOR UPDATE',
};

/** It waits for nobody, so that the rows it has are not held longer than it takes to write them. */
const LOCK_FREE: Statement = {
  name: 'payment-request-lock-free',
  text: `SELECT id FROM payment_requests
         WHERE id IN (SELECT value::uuid FROM json_array_elements_text($1::json))
         FOR UPDATE SKIP LOCKED`,
};

/** Rows that somebody else is moving are left to them: several processes share the work. */
const LOCK_DUE_TO_EXPIRE: Statement = {
  name: 'payment-request-lock-due-to-expire',
  text: `SELECT id FROM payment_requests WHERE status = 'CREATED' AND expires_at <= $1
         ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
};

const SAVE_MOVES: Statement = {
  name: 'payment-request-save-moves',
  text: `WITH moves AS (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::boolean[],
        $6::text[], $7::text[], $8::timestamptz[], $9::int[], $10::int[], $11::int[], $12::text[],
        $13::timestamptz[], $14::text[])
      AS m (id, status, reason_code, reason_message, paid_late, institution, network_reference,
            completed_at, version, webhook_sequence, position, cause, occurred_at,
            request_id)
  ), moved AS (
    UPDATE payment_requests p SET
      status = m.status, status_reason_code = m.reason_code,
      status_reason_message = m.reason_message, paid_late = m.paid_late,
      payment_institution = m.institution, payment_network_reference = m.network_reference,
      payment_completed_at = m.completed_at, version = m.version,
      webhook_sequence = m.webhook_sequence
    FROM moves m WHERE p.id = m.id)
  INSERT INTO payment_request_events
    (payment_request_id, position, status, cause, reason_code, occurred_at, request_id)
  SELECT id, position, status, cause, reason_code, occurred_at, request_id FROM moves`,
};

const BRING_EXPIRY_FORWARD: Statement = {
  name: 'payment-request-bring-expiry-forward',
  text: `UPDATE payment_requests SET expires_at = $2, version = version + 1
         WHERE id = $1 AND status = 'CREATED' AND expires_at > $2`,
};

/** Reads a payment request that nobody else can change until the transaction ends. */
export async function lockPaymentRequest(tx: Executor, id: string): Promise<PaymentRequest | null> {
  // Two statements: the second one's snapshot is taken after the lock was had, so that the
  // events are those that the last holder of the lock committed.
  await tx.query(LOCK, [id]);
  return findPaymentRequest(tx, id);
}

/** The same for a payment request of this merchant; another merchant's is not even locked. */
export async function lockPaymentRequestOf(
  tx: Executor,
  merchantId: string,
  id: string,
): Promise<PaymentRequest | null> {
  const rows = await tx.query(LOCK_OF_MERCHANT, [id, merchantId]);
  return rows.length === 0 ? null : findPaymentRequest(tx, id);
}

/** Reads those that nobody else holds; nobody can change them until the transaction ends. */
export async function lockFreePaymentRequests(
  tx: Executor,
  ids: readonly string[],
): Promise<PaymentRequest[]> {
  const rows = await tx.query<{ id: string }>(LOCK_FREE, [JSON.stringify(ids)]);
  return findLocked(tx, rows);
}

/**
 * Reads requests whose expiry has passed and is not written yet, oldest first, that nobody else
 * can change until the transaction ends. Those that somebody else holds are left out.
 */
export async function lockDueToExpire(
  tx: Executor,
  now: Date,
  limit: number,
): Promise<PaymentRequest[]> {
  const rows = await tx.query<{ id: string }>(LOCK_DUE_TO_EXPIRE, [now, limit]);
  return findLocked(tx, rows);
}

/** A statement of its own, after the locks: see `lockPaymentRequest`. */
async function findLocked(
  tx: Executor,
  rows: readonly { readonly id: string }[],
): Promise<PaymentRequest[]> {
  if (rows.length === 0) return [];
  return findPaymentRequests(
    tx,
    rows.map((row) => row.id),
  );
}

/** Writes moves of different payment requests: new states and events. Only for write-moves.ts. */
export async function saveMoves(tx: Executor, moves: readonly PlannedMove[]): Promise<void> {
  const column = (read: (move: PlannedMove) => unknown) => moves.map(read);
  const requestId = currentCall()?.requestId ?? null;
  await tx.query(SAVE_MOVES, [
    column(({ moved }) => moved.id),
    column(({ moved }) => moved.status),
    column(({ moved }) => moved.statusReason?.code ?? null),
    column(({ moved }) => moved.statusReason?.message ?? null),
    column(({ moved }) => moved.paidLate),
    column(({ moved }) => moved.payment?.institution ?? null),
    column(({ moved }) => moved.payment?.networkReference ?? null),
    column(({ moved }) => moved.payment?.completedAt ?? null),
    column(({ moved }) => moved.version),
    column(({ moved }) => moved.webhookSequence),
    column(({ moved }) => moved.events.length),
    column(({ cause }) => cause.name),
    column(({ moved }) => moved.events.at(-1)?.occurredAt),
    // An expiry that a call finds passed is not the call's doing.
    column(({ cause }) => (cause.name === 'EXPIRY_PASSED' ? null : requestId)),
  ]);
}

/** Moves the expiry of an open request to an earlier instant (contract §8, outcomes of expiry). */
export async function bringExpiryForward(tx: Executor, id: string, to: Date): Promise<void> {
  await tx.query(BRING_EXPIRY_FORWARD, [id, to]);
}
