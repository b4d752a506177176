import type { FastifySchema } from 'fastify';
import type { DocumentedAnswer } from '#http/json/route-schema.ts';
import { IDEMPOTENCY_PROBLEM_CODES } from '#lib/problem.ts';
import { WEBHOOK_CALL } from '#webhooks/model/operation-parts.ts';
import examples from './examples.json' with { type: 'json' };
import {
  EmptyBodySchema,
  EndpointListSchema,
  EndpointParamsSchema,
  EndpointSchema,
  EndpointUpdateSchema,
  NewEndpointSchema,
  NoQuerySchema,
  RotationSchema,
} from './schemas.ts';

const JSON_TYPE = 'application/json';

function endpointAnswered(description: string): DocumentedAnswer {
  return { description, content: { [JSON_TYPE]: EndpointSchema } };
}

function endpointAnsweredOnce(description: string): DocumentedAnswer {
  return { ...endpointAnswered(description), headers: ['Idempotency-Replayed'] };
}

/** POST /webhook-endpoints (delivery §3). */
export const REGISTER_OPERATION = {
  operationId: 'createWebhookEndpoint',
  summary: 'Register a webhook endpoint',
  description:
    'It gets the merchant’s events from now on, beside the payment requests’ own webhookUrl. ' +
    'Keep the signingSecret and the password: they are answered this once. At most 20.',
  ...WEBHOOK_CALL,
  hasSecrets: true,
  callHeaders: ['Idempotency-Key', 'Prefer'],
  body: NewEndpointSchema,
  answers: {
    201: {
      ...endpointAnswered('The endpoint with its secrets.'),
      headers: ['Location', 'Idempotency-Replayed'],
    },
  },
  problems: [
    'DUPLICATE_WEBHOOK_ENDPOINT',
    'TOO_MANY_WEBHOOK_ENDPOINTS',
    ...IDEMPOTENCY_PROBLEM_CODES,
  ],
  examples: examples.createWebhookEndpoint,
} as const satisfies FastifySchema;

/** GET /webhook-endpoints. */
export const LIST_ENDPOINTS_OPERATION = {
  operationId: 'listWebhookEndpoints',
  summary: 'List webhook endpoints',
  description: 'All of them on one page, oldest first.',
  ...WEBHOOK_CALL,
  querystring: NoQuerySchema,
  answers: { 200: { description: 'All.', content: { [JSON_TYPE]: EndpointListSchema } } },
  examples: examples.listWebhookEndpoints,
} as const satisfies FastifySchema;

/** GET /webhook-endpoints/{id}. */
export const READ_ENDPOINT_OPERATION = {
  operationId: 'getWebhookEndpoint',
  summary: 'Read a webhook endpoint',
  description:
    'Its URL, status and username; a PAUSED one has a statusReason. Its secrets are not answered ' +
    'again: rotate the signing secret, or set a password, to have new ones.',
  ...WEBHOOK_CALL,
  params: EndpointParamsSchema,
  answers: { 200: endpointAnswered('The endpoint, without its secrets.') },
  problems: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  examples: examples.getWebhookEndpoint,
} as const satisfies FastifySchema;

/** PATCH /webhook-endpoints/{id}. */
export const UPDATE_ENDPOINT_OPERATION = {
  operationId: 'updateWebhookEndpoint',
  summary: 'Change a webhook endpoint',
  description:
    'A JSON Merge Patch (RFC 7396): null for username or password makes a new one. Moving it to ' +
    'another origin makes new credentials and a new signing secret, answered this once; what it ' +
    'is owed goes to the new URL. Status PAUSED holds what it is owed, ACTIVE resumes.',
  ...WEBHOOK_CALL,
  hasSecrets: true,
  callHeaders: ['Prefer'],
  params: EndpointParamsSchema,
  body: EndpointUpdateSchema,
  bodyTypes: ['application/merge-patch+json', JSON_TYPE],
  answers: { 200: endpointAnswered('The endpoint; secrets only where they are new.') },
  problems: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'DUPLICATE_WEBHOOK_ENDPOINT'],
  examples: examples.updateWebhookEndpoint,
} as const satisfies FastifySchema;

/** DELETE /webhook-endpoints/{id}. */
export const DELETE_ENDPOINT_OPERATION = {
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint',
  description:
    'Nothing more is sent to it, except attempts in progress. Its pending deliveries end as ' +
    'EXHAUSTED, and all its deliveries stay readable.',
  ...WEBHOOK_CALL,
  params: EndpointParamsSchema,
  answers: { 204: { description: 'It is gone.' } },
  problems: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
} as const satisfies FastifySchema;

/** POST /webhook-endpoints/{id}/rotate-secret. */
export const ROTATE_OPERATION = {
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate a signing secret',
  description:
    'Makes a new one, answered this once. Both sign until the overlap is over (24 hours unless ' +
    'told otherwise): the header then has two signatures. The body may be left out. During an ' +
    'overlap a second rotation is refused, because it would end the secret that the listener ' +
    'may still have; "force": true does it all the same. Send an Idempotency-Key: a call that ' +
    'is sent again with it answers the new secret again.',
  ...WEBHOOK_CALL,
  hasSecrets: true,
  callHeaders: ['Idempotency-Key', 'Prefer'],
  params: EndpointParamsSchema,
  body: RotationSchema,
  isBodyOptional: true,
  answers: { 200: endpointAnsweredOnce('The endpoint with its new signingSecret.') },
  problems: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'SECRET_ROTATION_RUNNING', ...IDEMPOTENCY_PROBLEM_CODES],
  examples: examples.rotateWebhookSecret,
} as const satisfies FastifySchema;

/** POST /webhook-endpoints/{id}/resume. */
export const RESUME_OPERATION = {
  operationId: 'resumeWebhookEndpoint',
  summary: 'Resume a webhook endpoint',
  description: 'Held events are sent immediately. An ACTIVE endpoint is answered unchanged.',
  ...WEBHOOK_CALL,
  callHeaders: ['Idempotency-Key', 'Prefer'],
  params: EndpointParamsSchema,
  body: EmptyBodySchema,
  isBodyOptional: true,
  answers: { 200: endpointAnsweredOnce('The endpoint, ACTIVE.') },
  problems: ['WEBHOOK_ENDPOINT_NOT_FOUND', ...IDEMPOTENCY_PROBLEM_CODES],
  examples: examples.resumeWebhookEndpoint,
} as const satisfies FastifySchema;
