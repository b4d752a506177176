import type { FastifySchema } from 'fastify';
import {
  JSON_TYPE,
  PaymentRequestParamsSchema,
  paymentRequestAnswered,
  paymentRequestAnsweredOnce,
  TAGS,
  WRITE_SCOPES,
} from '#payment-requests/model/operation-parts.ts';
import { CANCEL_EXAMPLES, UPDATE_EXAMPLES } from './examples.ts';
import { CancellationSchema, PaymentRequestUpdateSchema } from './schemas.ts';

/** POST /payment-requests/{id}/cancellation (contract §4, Cancel). */
export const CANCEL_OPERATION = {
  operationId: 'cancelPaymentRequest',
  summary: 'Cancel a payment request',
  description:
    'Only a CREATED payment request can be cancelled. A repeated cancellation is answered with ' +
    '200 again and changes nothing. The body may be left out.',
  tags: TAGS,
  scopes: WRITE_SCOPES,
  callHeaders: ['Idempotency-Key', 'If-Match', 'Prefer'],
  params: PaymentRequestParamsSchema,
  body: CancellationSchema,
  isBodyOptional: true,
  answers: { 200: paymentRequestAnsweredOnce('The payment request, CANCELLED.') },
  problems: [
    'PAYMENT_REQUEST_NOT_FOUND',
    'ALREADY_PAID',
    'ALREADY_EXPIRED',
    'ALREADY_FAILED',
    'PAYMENT_IN_PROGRESS',
    'IDEMPOTENCY_IN_PROGRESS',
    'VERSION_MISMATCH',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  examples: CANCEL_EXAMPLES,
} as const satisfies FastifySchema;

/** PATCH /payment-requests/{id} (contract §4, Update). */
export const UPDATE_OPERATION = {
  operationId: 'updatePaymentRequest',
  summary: 'Update a payment request',
  description:
    'A JSON Merge Patch (RFC 7396), only while the payment request is CREATED: null takes a ' +
    'field away, metadata is merged key by key. dueDate does not move the expiry.',
  tags: TAGS,
  scopes: WRITE_SCOPES,
  callHeaders: ['If-Match'],
  params: PaymentRequestParamsSchema,
  body: PaymentRequestUpdateSchema,
  bodyTypes: ['application/merge-patch+json', JSON_TYPE],
  answers: { 200: paymentRequestAnswered('The payment request as it is now.') },
  problems: [
    'PAYMENT_REQUEST_NOT_FOUND',
    'ALREADY_PAID',
    'ALREADY_EXPIRED',
    'ALREADY_FAILED',
    'ALREADY_CANCELLED',
    'PAYMENT_IN_PROGRESS',
    'VERSION_MISMATCH',
  ],
  examples: UPDATE_EXAMPLES,
} as const satisfies FastifySchema;
