import type { Executor } from '#database/database.ts';
import { isId } from '#lib/new-id.ts';
import { notFound } from '#lib/words/not-found.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { lockPaymentRequestOf } from './lock-store.ts';

/**
 * Locks a payment request of this merchant until the transaction ends.
 * @throws Problem PAYMENT_REQUEST_NOT_FOUND, the same for an unknown id and another merchant's.
 */
export async function lockOwnPaymentRequest(
  tx: Executor,
  merchantId: string,
  id: string,
): Promise<PaymentRequest> {
  const locked = isId(id) ? await lockPaymentRequestOf(tx, merchantId, id) : null;
  if (!locked) throw notFound('PAYMENT_REQUEST_NOT_FOUND', id);
  return locked;
}
