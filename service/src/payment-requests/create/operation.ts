import type { FastifySchema } from 'fastify';
import { IDEMPOTENCY_PROBLEM_CODES } from '#lib/problem.ts';
import {
  paymentRequestAnswered,
  TAGS,
  WRITE_SCOPES,
} from '#payment-requests/model/operation-parts.ts';
import { NewPaymentRequestSchema } from '#payment-requests/model/schemas.ts';
import { CREATE_EXAMPLES } from './examples.ts';

/** POST /payment-requests (interface §4; contract §4, Create). */
export const CREATE_OPERATION = {
  operationId: 'createPaymentRequest',
  summary: 'Create a payment request',
  description:
    'Asks a payer for an amount. Open the answer’s paymentLink for the payer, and fulfil the ' +
    'order only when the webhook, or a read, says PAID. Values are echoed as they were sent; an ' +
    'empty text or null in an optional field counts as left out. Amounts are read from the ' +
    'number’s own text: 10, 10.0 and 10.00 are the same, 10.005 is refused.',
  tags: TAGS,
  scopes: WRITE_SCOPES,
  callHeaders: ['Idempotency-Key', 'Prefer'],
  body: NewPaymentRequestSchema,
  answers: {
    201: {
      ...paymentRequestAnswered('The payment request, CREATED.'),
      headers: ['Location', 'ETag', 'Idempotency-Replayed', 'Payment-Requests-Warning'],
    },
  },
  problems: [
    'MERCHANT_MISMATCH',
    'DUPLICATE_MERCHANT_TRANSACTION_ID',
    'NO_CREDITOR_ACCOUNT',
    ...IDEMPOTENCY_PROBLEM_CODES,
  ],
  examples: CREATE_EXAMPLES,
} as const satisfies FastifySchema;
