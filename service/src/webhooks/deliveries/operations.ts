import type { FastifySchema } from 'fastify';
import type { DocumentedAnswer } from '#http/json/route-schema.ts';
import { IDEMPOTENCY_PROBLEM_CODES } from '#lib/problem.ts';
import examples from '#webhooks/endpoints/examples.json' with { type: 'json' };
import { EmptyBodySchema, EndpointParamsSchema } from '#webhooks/endpoints/schemas.ts';
import { WEBHOOK_CALL } from '#webhooks/model/operation-parts.ts';
import {
  DeliveryListSchema,
  DeliveryParamsSchema,
  DeliveryQuerySchema,
  DeliverySchema,
  DeliveryWithAttemptsSchema,
} from './schemas.ts';

const JSON_TYPE = 'application/json';

function deliveryAnsweredOnce(description: string): DocumentedAnswer {
  const content = { [JSON_TYPE]: DeliverySchema };
  return { description, headers: ['Idempotency-Replayed'], content };
}

/** GET /webhook-deliveries (delivery §3). */
export const LIST_DELIVERIES_OPERATION = {
  operationId: 'listWebhookDeliveries',
  summary: 'List webhook deliveries',
  description: 'A delivery for each event and URL, newest first, narrowed by the given filters.',
  ...WEBHOOK_CALL,
  querystring: DeliveryQuerySchema,
  answers: {
    200: { description: 'A page of them.', content: { [JSON_TYPE]: DeliveryListSchema } },
  },
  examples: examples.listWebhookDeliveries,
} as const satisfies FastifySchema;

/** GET /webhook-deliveries/{id}. */
export const READ_DELIVERY_OPERATION = {
  operationId: 'getWebhookDelivery',
  summary: 'Read a webhook delivery',
  description: 'With each attempt: when, what the listener answered, and where the time went.',
  ...WEBHOOK_CALL,
  params: DeliveryParamsSchema,
  answers: {
    200: {
      description: 'The delivery and its attempts.',
      content: { [JSON_TYPE]: DeliveryWithAttemptsSchema },
    },
  },
  problems: ['WEBHOOK_DELIVERY_NOT_FOUND'],
  examples: examples.getWebhookDelivery,
} as const satisfies FastifySchema;

/** POST /webhook-deliveries/{id}/redeliver. */
export const REDELIVER_OPERATION = {
  operationId: 'redeliverWebhook',
  summary: 'Send a webhook delivery again',
  description:
    'In any status, at once: the same webhook-id and the same bytes, and all attempts anew.',
  ...WEBHOOK_CALL,
  callHeaders: ['Idempotency-Key', 'Prefer'],
  params: DeliveryParamsSchema,
  body: EmptyBodySchema,
  isBodyOptional: true,
  answers: { 202: deliveryAnsweredOnce('The delivery, PENDING.') },
  problems: [
    'WEBHOOK_DELIVERY_NOT_FOUND',
    'WEBHOOK_ENDPOINT_DELETED',
    'ERASED',
    ...IDEMPOTENCY_PROBLEM_CODES,
  ],
  examples: examples.redeliverWebhook,
} as const satisfies FastifySchema;

/** POST /webhook-endpoints/{id}/test. */
export const TEST_OPERATION = {
  operationId: 'testWebhookEndpoint',
  summary: 'Send a test to a webhook endpoint',
  description:
    'The way of every event, once: a PAYMENT-FAILED with "test": true and a complete payment ' +
    'request over 10.00 that does not exist (the nil UUID). Read the delivery to see what the ' +
    'listener answered.',
  ...WEBHOOK_CALL,
  callHeaders: ['Idempotency-Key', 'Prefer'],
  params: EndpointParamsSchema,
  body: EmptyBodySchema,
  isBodyOptional: true,
  answers: { 202: deliveryAnsweredOnce('The test’s delivery.') },
  problems: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_PAUSED', ...IDEMPOTENCY_PROBLEM_CODES],
  examples: examples.testWebhookEndpoint,
} as const satisfies FastifySchema;
