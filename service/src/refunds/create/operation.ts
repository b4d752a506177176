import type { FastifySchema } from 'fastify';
import { PaymentRequestParamsSchema } from '#payment-requests/model/operation-parts.ts';
import { REFUND_TAGS, refundAnswered } from '#refunds/model/operation-parts.ts';
import { NewRefundSchema } from '#refunds/model/schemas.ts';
import { CREATE_REFUND_EXAMPLES } from './examples.ts';

const HEADERS = ['ETag', 'Idempotency-Replayed', 'Payment-Requests-Warning'] as const;

/** POST /payment-requests/{id}/refunds (contract §11). */
export const CREATE_REFUND_OPERATION = {
  operationId: 'createRefund',
  summary: 'Refund a payment request',
  description:
    'Gives money of a PAID payment request back to the payer: an amount, or without one all that ' +
    'is available. Give merchantRefundId or Idempotency-Key, so that a repeated call refunds ' +
    'once. A repeated merchantRefundId with the same body is answered with 200 and the refund ' +
    'as it is now. The payment request stays PAID.',
  tags: REFUND_TAGS,
  scopes: ['refund/write'],
  callHeaders: ['Idempotency-Key', 'Prefer'],
  params: PaymentRequestParamsSchema,
  body: NewRefundSchema,
  isBodyOptional: true,
  answers: {
    200: refundAnswered('The refund that an earlier call created.', HEADERS),
    201: refundAnswered('The refund, CREATED.', ['Location', ...HEADERS]),
  },
  problems: [
    'REFUNDS_DISABLED',
    'PAYMENT_REQUEST_NOT_FOUND',
    'NOT_PAID',
    'REFUNDS_NOT_SUPPORTED',
    'DUPLICATE_MERCHANT_REFUND_ID',
    'REFUND_LIMIT_REACHED',
    'IDEMPOTENCY_IN_PROGRESS',
    'REFUND_AMOUNT_MISMATCH',
    'REFUND_AMOUNT_EXCEEDED',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  examples: CREATE_REFUND_EXAMPLES,
} as const satisfies FastifySchema;
