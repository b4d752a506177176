import type { FastifySchema } from 'fastify';
import { PaymentRequestParamsSchema } from '#payment-requests/model/operation-parts.ts';
import { ReadQuerySchema } from '#payment-requests/read/schemas.ts';
import { RefundListSchema } from '#refunds/model/answer-schemas.ts';
import { REFUND_TAGS, RefundParamsSchema, refundAnswered } from '#refunds/model/operation-parts.ts';
import { LIST_EXAMPLES, OF_PAYMENT_EXAMPLES, READ_EXAMPLES } from './examples.ts';
import { RefundListQuerySchema, RefundsOfPaymentQuerySchema } from './schemas.ts';

const SCOPES = ['payment_request/read'] as const;

/** GET /refunds/{id} (contract §11). */
export const READ_REFUND_OPERATION = {
  operationId: 'getRefund',
  summary: 'Read a refund',
  description:
    'Its current status with all events. With waitSeconds the answer comes as soon as it ' +
    'changes, at the latest after so many seconds; with If-None-Match too, 304 says that ' +
    'nothing did.',
  tags: REFUND_TAGS,
  scopes: SCOPES,
  callHeaders: ['If-None-Match'],
  params: RefundParamsSchema,
  querystring: ReadQuerySchema,
  answers: {
    200: refundAnswered('The refund as it is now.', ['ETag']),
    304: { description: 'It still has the version of If-None-Match.', headers: ['ETag'] },
  },
  problems: ['REFUND_NOT_FOUND'],
  examples: READ_EXAMPLES,
} as const satisfies FastifySchema;

/** GET /refunds (contract §11). */
export const LIST_REFUNDS_OPERATION = {
  operationId: 'listRefunds',
  summary: 'List refunds',
  description:
    'Newest first, narrowed by the filters given. With Accept: text/csv all that match are ' +
    'answered as CSV, without pages; a merchant has one such stream at a time.',
  tags: REFUND_TAGS,
  scopes: SCOPES,
  querystring: RefundListQuerySchema,
  answers: {
    200: {
      description: 'A page of them; as CSV all of them.',
      headers: ['Content-Disposition', 'X-Replica-Lag'],
      content: { 'application/json': RefundListSchema, 'text/csv': { type: 'string' } },
    },
  },
  problems: ['NOT_ACCEPTABLE'],
  examples: LIST_EXAMPLES,
} as const satisfies FastifySchema;

/** GET /payment-requests/{id}/refunds (contract §11). */
export const LIST_REFUNDS_OF_PAYMENT_OPERATION = {
  operationId: 'listRefundsOfPaymentRequest',
  summary: 'List the refunds of a payment request',
  description: 'All refunds of one payment request, newest first, also those that FAILED.',
  tags: REFUND_TAGS,
  scopes: SCOPES,
  params: PaymentRequestParamsSchema,
  querystring: RefundsOfPaymentQuerySchema,
  answers: {
    200: {
      description: 'A page of them.',
      content: { 'application/json': RefundListSchema },
    },
  },
  problems: ['PAYMENT_REQUEST_NOT_FOUND'],
  examples: OF_PAYMENT_EXAMPLES,
} as const satisfies FastifySchema;
