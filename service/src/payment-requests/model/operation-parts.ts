import { Type } from 'typebox';
import type { DocumentedAnswer } from '#http/json/route-schema.ts';
import { PaymentRequestSchema } from './answer-schemas.ts';

export const TAGS = ['Payment requests'];
export const READ_SCOPES = ['payment_request/read'] as const;
export const WRITE_SCOPES = ['payment_request/write'] as const;
export const JSON_TYPE = 'application/json';

/** The path of every call that concerns one payment request. */
export const PaymentRequestParamsSchema = Type.Object({
  id: Type.String({ description: 'The payment request’s id.' }),
});

/** Documents an answer that carries a payment request. */
export function paymentRequestAnswered(
  description: string,
  headers: NonNullable<DocumentedAnswer['headers']> = ['ETag'],
): DocumentedAnswer {
  return { description, headers, content: { [JSON_TYPE]: PaymentRequestSchema } };
}

/** Documents an answer that carries a payment request, to a call that takes an Idempotency-Key. */
export function paymentRequestAnsweredOnce(description: string): DocumentedAnswer {
  return paymentRequestAnswered(description, ['ETag', 'Idempotency-Replayed']);
}
