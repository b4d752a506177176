import type { FastifySchema } from 'fastify';
import { IDEMPOTENCY_PROBLEM_CODES } from '#lib/problem.ts';
import {
  JSON_TYPE,
  PaymentRequestParamsSchema,
  READ_SCOPES,
  TAGS,
  WRITE_SCOPES,
} from '#payment-requests/model/operation-parts.ts';
import examples from './examples.json' with { type: 'json' };
import {
  MessageListSchema,
  MessageQuerySchema,
  MessageSchema,
  NewMessageSchema,
} from './schemas.ts';

/** GET /payment-requests/{id}/messages (messages §2). */
export const LIST_MESSAGES_OPERATION = {
  operationId: 'listMessages',
  summary: 'List messages',
  description:
    'Every message about the payment request, newest first: the link, receipts, cancellations. ' +
    'The address stands in the payment request only.',
  tags: TAGS,
  scopes: READ_SCOPES,
  params: PaymentRequestParamsSchema,
  querystring: MessageQuerySchema,
  answers: {
    200: { description: 'A page of them.', content: { [JSON_TYPE]: MessageListSchema } },
  },
  problems: ['PAYMENT_REQUEST_NOT_FOUND'],
  examples: examples.listMessages,
} as const satisfies FastifySchema;

/** POST /payment-requests/{id}/messages (messages §2). */
export const SEND_MESSAGE_OPERATION = {
  operationId: 'sendMessage',
  summary: 'Send the link again',
  description:
    'Only while the payment request is CREATED, and at most 5 times in 24 hours. A message may ' +
    'arrive twice where the connection to the mail server is lost after the data.',
  tags: TAGS,
  scopes: WRITE_SCOPES,
  callHeaders: ['Idempotency-Key', 'Prefer'],
  params: PaymentRequestParamsSchema,
  body: NewMessageSchema,
  isBodyOptional: true,
  answers: {
    201: {
      description: 'The message, SCHEDULED.',
      headers: ['Idempotency-Replayed'],
      content: { [JSON_TYPE]: MessageSchema },
    },
  },
  problems: [
    'PAYMENT_REQUEST_NOT_FOUND',
    'ALREADY_PAID',
    'ALREADY_EXPIRED',
    'ALREADY_FAILED',
    'ALREADY_CANCELLED',
    'PAYMENT_IN_PROGRESS',
    'NO_DELIVERY_CHANNEL',
    'MESSAGE_LIMIT_REACHED',
    ...IDEMPOTENCY_PROBLEM_CODES,
  ],
  examples: examples.sendMessage,
} as const satisfies FastifySchema;
