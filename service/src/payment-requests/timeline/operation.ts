import type { FastifySchema } from 'fastify';
import {
  JSON_TYPE,
  PaymentRequestParamsSchema,
  READ_SCOPES,
  TAGS,
} from '#payment-requests/model/operation-parts.ts';
import { TimelineSchema } from './answer-schemas.ts';
import examples from './examples.json' with { type: 'json' };
import { TimelineQuerySchema } from './schemas.ts';

/** GET /payment-requests/{id}/timeline (contract §4, Timeline). */
export const TIMELINE_OPERATION = {
  operationId: 'readTimeline',
  summary: 'Read the timeline of a payment request',
  description:
    'A list, oldest first: status changes with their cause, openings of the link (the first ' +
    '20), the payer’s steps, cancellations, updates, and each webhook attempt with what the ' +
    'listener answered.',
  tags: TAGS,
  scopes: READ_SCOPES,
  params: PaymentRequestParamsSchema,
  querystring: TimelineQuerySchema,
  answers: {
    200: { description: 'A page of timeline entries.', content: { [JSON_TYPE]: TimelineSchema } },
  },
  problems: ['PAYMENT_REQUEST_NOT_FOUND'],
  examples: examples.readTimeline,
} as const satisfies FastifySchema;
