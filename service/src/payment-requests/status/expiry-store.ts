import type { Executor, Statement } from '#database/database.ts';
import { execute } from '#database/statements.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { canExpire, sqlListOf } from '#payment-requests/model/statuses.ts';

const BRING_FORWARD: Statement = {
  name: 'payment-request-bring-expiry-forward',
  text: 'UPDATE payment_requests SET expires_at = $2, version = version + 1 WHERE id = $1',
};

/** Moves the expiry forward by a time, where it is still to come, and counts the time. */
export const advanceExpiry = execute<[paymentRequestId: string, us: number]>(
  'payment-request-advance-expiry',
  `UPDATE payment_requests
   SET sandbox_advanced_us = coalesce(sandbox_advanced_us, 0) + $2::bigint,
     expires_at = CASE WHEN status IN (${sqlListOf(canExpire)})
       THEN expires_at - $2 * interval '1 us' ELSE expires_at END,
     version = version + 1
   WHERE id = $1`,
);

/**
 * Moves the expiry of a locked payment request to an earlier instant (contract §8, outcomes of
 * expiry). Changes nothing when the expiry has passed by then.
 *
 * @returns the payment request as it is now.
 */
export async function bringExpiryForward(
  tx: Executor,
  locked: PaymentRequest,
  to: Date,
): Promise<PaymentRequest> {
  if (locked.expiresAt <= to) return locked;
  await tx.query(BRING_FORWARD, [locked.id, to]);
  return { ...locked, expiresAt: to, version: locked.version + 1 };
}
