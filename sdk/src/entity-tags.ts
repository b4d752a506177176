import type { PaymentRequest } from './payment-request.ts';

const entityTags = new WeakMap<object, string>();

/**
 * Gives the version of a payment request that the client returned, for `ifMatch` and `ifNoneMatch`.
 * Store the entity tag beside the payment request: a copy of the object has no entity tag.
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

/** Remembers the version of a payment request that the service just answered. */
export function noteEntityTag(paymentRequest: PaymentRequest, entityTag: string | null): void {
  if (entityTag !== null) entityTags.set(paymentRequest, entityTag);
}
