import type { Executor } from '#database/database.ts';
import { isId } from '#lib/new-id.ts';
import { notFound } from '#lib/words/not-found.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { FindPaymentRequest } from './batch-lookups.ts';
import { findPaymentRequest } from './find-store.ts';

/**
 * A payment request of this merchant, as stored. Another merchant's does not exist for it.
 * @throws Problem PAYMENT_REQUEST_NOT_FOUND, the same for an unknown id and another merchant's.
 */
export async function findOwnPaymentRequest(
  executor: Executor,
  merchantId: string,
  id: string,
): Promise<PaymentRequest> {
  return findOwn((known) => findPaymentRequest(executor, known), merchantId, id);
}

/** A payment request of this merchant, through the batched read that callers share. */
export async function findOwn(
  find: FindPaymentRequest,
  merchantId: string,
  id: string,
): Promise<PaymentRequest> {
  const found = isId(id) ? await find(id) : null;
  if (found?.merchant.id !== merchantId) throw notFound('PAYMENT_REQUEST_NOT_FOUND', id);
  return found;
}
