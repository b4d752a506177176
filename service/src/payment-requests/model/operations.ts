import type { FastifySchema } from 'fastify';
import type { DocumentedAnswer } from '#http/json/route-schema.ts';
import {
  CancellationSchema,
  PaymentRequestParamsSchema,
  PaymentRequestUpdateSchema,
} from '#payment-requests/change/schemas.ts';
import { ListQuerySchema, ReadQuerySchema } from '#payment-requests/read/schemas.ts';
import { TimelineSchema } from '#payment-requests/timeline/answer-schemas.ts';
import { TimelineQuerySchema } from '#payment-requests/timeline/schemas.ts';
import { PaymentRequestListSchema, PaymentRequestSchema } from './answer-schemas.ts';
import {
  CANCEL_EXAMPLES,
  CREATE_EXAMPLES,
  LIST_EXAMPLES,
  READ_EXAMPLES,
  TIMELINE_EXAMPLES,
  UPDATE_EXAMPLES,
} from './examples.ts';
import { NewPaymentRequestSchema } from './schemas.ts';

const TAGS = ['Payment requests'];
const READ_SCOPES = ['payment_request/read'];
const WRITE_SCOPES = ['payment_request/write'];
const JSON_TYPE = 'application/json';

/** A payment request as an answer. */
export function paymentRequestAnswered(description: string): DocumentedAnswer {
  return {
    description,
    headers: ['ETag'],
    content: { [JSON_TYPE]: PaymentRequestSchema },
  };
}

/** The same, of a call that an Idempotency-Key makes safe to send again. */
export function paymentRequestAnsweredOnce(description: string): DocumentedAnswer {
  return { ...paymentRequestAnswered(description), headers: ['ETag', 'Idempotency-Replayed'] };
}

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
      headers: ['Location', 'ETag', 'Idempotency-Replayed'],
    },
  },
  problems: [
    'MERCHANT_MISMATCH',
    'DUPLICATE_MERCHANT_TRANSACTION_ID',
    'IDEMPOTENCY_IN_PROGRESS',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  examples: CREATE_EXAMPLES,
} as const satisfies FastifySchema;

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
      headers: ['Content-Disposition'],
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

/** POST /payment-requests/{id}/cancellation (contract §4, Cancel). */
export const CANCEL_OPERATION = {
  operationId: 'cancelPaymentRequest',
  summary: 'Cancel a payment request',
  description:
    'Only while it is CREATED; one that is cancelled already is answered again. The body may be ' +
    'left out.',
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

/** GET /payment-requests/{id}/timeline (contract §4, Timeline). */
export const TIMELINE_OPERATION = {
  operationId: 'readTimeline',
  summary: 'Read the timeline of a payment request',
  description:
    'One list, oldest first: status changes with their cause, openings of the link (the first ' +
    '20), the payer’s steps, cancellations, updates, and each webhook attempt with what the ' +
    'listener answered.',
  tags: TAGS,
  scopes: READ_SCOPES,
  params: PaymentRequestParamsSchema,
  querystring: TimelineQuerySchema,
  answers: {
    200: { description: 'A page of it.', content: { [JSON_TYPE]: TimelineSchema } },
  },
  problems: ['PAYMENT_REQUEST_NOT_FOUND'],
  examples: TIMELINE_EXAMPLES,
} as const satisfies FastifySchema;
