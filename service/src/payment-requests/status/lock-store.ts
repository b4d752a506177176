import type { Executor, Statement } from '#database/database.ts';
import { findPaymentRequest, findPaymentRequests } from '#payment-requests/lookup/find-store.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { canExpire, sqlListOf } from '#payment-requests/model/statuses.ts';

const LOCK: Statement = {
  name: 'payment-request-lock',
  text: 'SELECT id FROM payment_requests WHERE id = $1 FOR UPDATE',
};

const LOCK_OF_MERCHANT: Statement = {
  name: 'payment-request-lock-of-merchant',
  text: 'SELECT id FROM payment_requests WHERE id = $1 AND merchant_id = $2 FOR UPDATE',
};

/** SKIP LOCKED: the batch's rows stay locked only for as long as the batch takes to write. */
const LOCK_FREE: Statement = {
  name: 'payment-request-lock-free',
  text: `SELECT id FROM payment_requests
         WHERE id IN (SELECT value::uuid FROM json_array_elements_text($1::json))
         FOR UPDATE SKIP LOCKED`,
};

/** SKIP LOCKED: several processes share the work. Reads the index payment_requests_to_expire. */
const LOCK_DUE_TO_EXPIRE: Statement = {
  name: 'payment-request-lock-due-to-expire',
  text: `SELECT id FROM payment_requests
         WHERE status IN (${sqlListOf(canExpire)})
           AND expires_at <= $1
         ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
};

/** Reads a payment request that no other transaction can change until this one ends. */
export async function lockPaymentRequest(tx: Executor, id: string): Promise<PaymentRequest | null> {
  // Two statements: the second one's snapshot is taken after the lock, so that it has the events
  // that the lock's last holder committed.
  await tx.query(LOCK, [id]);
  return findPaymentRequest(tx, id);
}

/** Like `lockPaymentRequest`, for a payment request of this merchant; others stay unlocked. */
export async function lockPaymentRequestOf(
  tx: Executor,
  merchantId: string,
  id: string,
): Promise<PaymentRequest | null> {
  const rows = await tx.query(LOCK_OF_MERCHANT, [id, merchantId]);
  return rows.length === 0 ? null : findPaymentRequest(tx, id);
}

/** Locks and reads those payment requests that no other transaction holds. */
export async function lockFreePaymentRequests(
  tx: Executor,
  ids: readonly string[],
): Promise<PaymentRequest[]> {
  const rows = await tx.query<{ id: string }>(LOCK_FREE, [JSON.stringify(ids)]);
  return findLocked(tx, rows);
}

/**
 * Locks and reads payment requests whose expiry has passed and is not written yet, oldest first.
 * Leaves out those that another transaction holds.
 */
export async function lockDueToExpire(
  tx: Executor,
  now: Date,
  limit: number,
): Promise<PaymentRequest[]> {
  const rows = await tx.query<{ id: string }>(LOCK_DUE_TO_EXPIRE, [now, limit]);
  return findLocked(tx, rows);
}

/** A statement after the locks, for the reason given in `lockPaymentRequest`. */
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
