import type { Executor, Statement } from '#database/database.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';

const BRING_FORWARD: Statement = {
  name: 'payment-request-bring-expiry-forward',
  text: 'UPDATE payment_requests SET expires_at = $2, version = version + 1 WHERE id = $1',
};

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
