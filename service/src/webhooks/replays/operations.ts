import type { FastifySchema } from 'fastify';
import { IDEMPOTENCY_PROBLEM_CODES } from '#lib/problem.ts';
import examples from '#webhooks/endpoints/examples.json' with { type: 'json' };
import { EndpointParamsSchema } from '#webhooks/endpoints/schemas.ts';
import { WEBHOOK_CALL } from '#webhooks/model/operation-parts.ts';
import { ReplayBodySchema, ReplayParamsSchema, ReplaySchema } from './schemas.ts';

const content = { 'application/json': ReplaySchema };

/** POST /webhook-endpoints/{id}/replay (delivery §3). */
export const START_REPLAY_OPERATION = {
  operationId: 'replayWebhooks',
  summary: 'Send a span of time to a webhook endpoint again',
  description:
    'Starts a job and answers at once. It queues a few at a time, so that events of now do not ' +
    'wait behind it, and goes on after a restart. An endpoint has one at a time.',
  ...WEBHOOK_CALL,
  callHeaders: ['Idempotency-Key', 'Prefer'],
  params: EndpointParamsSchema,
  body: ReplayBodySchema,
  answers: {
    202: { description: 'The job, RUNNING.', headers: ['Idempotency-Replayed'], content },
  },
  problems: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_REPLAY_RUNNING', ...IDEMPOTENCY_PROBLEM_CODES],
  examples: examples.replayWebhooks,
} as const satisfies FastifySchema;

/** GET /webhook-endpoints/{id}/replays/{replayId}. */
export const READ_REPLAY_OPERATION = {
  operationId: 'getWebhookReplay',
  summary: 'Read the progress of a replay',
  description:
    'RUNNING until every event of the span is queued again. The job goes on without this call.',
  ...WEBHOOK_CALL,
  params: ReplayParamsSchema,
  answers: { 200: { description: 'The job as it stands.', content } },
  problems: ['WEBHOOK_REPLAY_NOT_FOUND'],
  examples: examples.getWebhookReplay,
} as const satisfies FastifySchema;
