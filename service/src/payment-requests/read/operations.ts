import type { FastifySchema } from 'fastify';
import { PaymentRequestListSchema } from '#payment-requests/model/answer-schemas.ts';
import {
  JSON_TYPE,
  PaymentRequestParamsSchema,
  paymentRequestAnswered,
  READ_SCOPES,
  TAGS,
} from '#payment-requests/model/operation-parts.ts';
import { LIST_EXAMPLES, READ_EXAMPLES } from './examples.ts';
import { ListQuerySchema, ReadQuerySchema } from './schemas.ts';

/** GET /payment-requests (contract §4, List). */
export const LIST_OPERATION = {
  operationId: 'listPaymentRequests',
  summary: 'List payment requests',
  description:
    'Newest first, narrowed by the filters given. With Accept: text/csv all that match are ' +
    'answered as CSV, without pages; a merchant has one such stream at a time.',
  tags: TAGS,
  scopes: READ_SCOPES,
  querystring: ListQuerySchema,
  answers: {
    200: {
      description: 'A page of them; as CSV all of them.',
      headers: ['Content-Disposition', 'X-Replica-Lag'],
      content: { [JSON_TYPE]: PaymentRequestListSchema, 'text/csv': { type: 'string' } },
    },
  },
  problems: ['NOT_ACCEPTABLE'],
  examples: LIST_EXAMPLES,
} as const satisfies FastifySchema;

/** GET /payment-requests/{id} (interface §4; contract §4, Read). */
export const READ_OPERATION = {
  operationId: 'getPaymentRequest',
  summary: 'Read a payment request',
  description:
    'Its current status with all events. With waitSeconds the answer comes as soon as it ' +
    'changes, at the latest after so many seconds; with If-None-Match too, 304 says that ' +
    'nothing did.',
  tags: TAGS,
  scopes: READ_SCOPES,
  callHeaders: ['If-None-Match'],
  params: PaymentRequestParamsSchema,
  querystring: ReadQuerySchema,
  answers: {
    200: paymentRequestAnswered('The payment request as it is now.'),
    304: { description: 'It still has the version of If-None-Match.', headers: ['ETag'] },
  },
  problems: ['PAYMENT_REQUEST_NOT_FOUND'],
  examples: READ_EXAMPLES,
} as const satisfies FastifySchema;
