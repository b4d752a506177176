import type { FastifyInstance, FastifySchema } from 'fastify';
import { readJsonCall } from '#http/json/call.ts';
import { IDEMPOTENCY_PROBLEM_CODES } from '#lib/problem.ts';
import { merchantCall } from '#merchants/merchant-call.ts';
import { answerEndpointCall, sendJson } from '#webhooks/endpoints/answer-call.ts';
import examples from '#webhooks/endpoints/examples.json' with { type: 'json' };
import type { ById, EndpointRoutesDeps } from '#webhooks/endpoints/routes.ts';
import { EndpointParamsSchema } from '#webhooks/endpoints/schemas.ts';
import { WEBHOOK_CALL } from '#webhooks/model/operation-parts.ts';
import { ReplayBodySchema, ReplayParamsSchema, ReplaySchema, replayMembers } from './schemas.ts';
import { readReplay, startReplay } from './start-replay.ts';

/** Replays to a webhook endpoint: start one, see how far it is (delivery §3). */
export function registerReplayRoutes(app: FastifyInstance, deps: EndpointRoutesDeps): void {
  const path = `${new URL(`${deps.publicApiUrl}/webhook-endpoints`).pathname}/:id`;
  app.post<ById>(`${path}/replay`, merchantCall(deps, START_REPLAY_OPERATION), (request, reply) => {
    const { merchant, params } = request;
    const { members, faults } = readJsonCall(request, ReplayBodySchema);
    return answerEndpointCall(deps, request, reply, async (tx) => {
      const asked = { endpointId: params.id, body: members, faults };
      const replay = await startReplay(tx, deps, merchant.id, asked);
      return { status: 202, body: replayMembers(replay) };
    });
  });
  app.get<{ Params: { id: string; replayId: string } }>(
    `${path}/replays/:replayId`,
    merchantCall(deps, READ_REPLAY_OPERATION),
    async (request, reply) => {
      const { merchant, params } = request;
      const replay = await readReplay(deps.db, merchant.id, params.id, params.replayId);
      return sendJson(reply, replayMembers(replay));
    },
  );
}

const content = { 'application/json': ReplaySchema };

/** POST /webhook-endpoints/{id}/replay (delivery §3). */
const START_REPLAY_OPERATION = {
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
const READ_REPLAY_OPERATION = {
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
