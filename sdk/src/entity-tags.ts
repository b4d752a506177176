import type { PaymentRequest } from './payment-request.ts';

const entityTags = new WeakMap<object, string>();

/**
 * The version of a payment request that this client answered, for `ifMatch` and `ifNoneMatch`. Keep
 * it beside the payment request where that is stored; a copy of the object has none.
 *
 * @example
 * const before = await client.getPaymentRequest(paymentRequestId);
 * const ifNoneMatch = entityTagOf(before) ?? '';
 * const after = await client.getPaymentRequest(paymentRequestId, { waitSeconds: 1, ifNoneMatch });
 * console.log(after === null ? 'nothing happened' : after.status);
 */
export function entityTagOf(paymentRequest: PaymentRequest): string | undefined {
  return entityTags.get(paymentRequest);
}

/** Notes the version of what was just answered. */
export function noteEntityTag(paymentRequest: PaymentRequest, entityTag: string | null): void {
  if (entityTag !== null) entityTags.set(paymentRequest, entityTag);
}
