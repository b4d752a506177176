import { entityTag } from '#http/headers/entity-tag.ts';
import type { StoredAnswer } from '#idempotency/stored-answer.ts';
import type { PaymentRequest } from './payment-request.ts';
import { type PublicAddresses, renderPaymentRequest } from './render-json.ts';

/** A payment request as an answer that can be kept, with its entity tag; 201 says where it lies. */
export function paymentRequestAnswer(
  status: 200 | 201 | 202,
  paymentRequest: PaymentRequest,
  addresses: PublicAddresses,
): StoredAnswer {
  const location = `${addresses.publicApiUrl}/payment-requests/${paymentRequest.id}`;
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      etag: entityTag(paymentRequest.version),
      ...(status === 201 && { location }),
    },
    body: renderPaymentRequest(paymentRequest, addresses),
  };
}
