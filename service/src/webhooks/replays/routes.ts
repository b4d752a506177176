import type { FastifyInstance } from 'fastify';
import { readJsonCall } from '#http/json/call.ts';
import { merchantCall } from '#merchants/merchant-call.ts';
import { answerEndpointCall, sendJson } from '#webhooks/endpoints/answer-call.ts';
import type { ById, EndpointRoutesDeps } from '#webhooks/endpoints/routes.ts';
import { READ_REPLAY_OPERATION, START_REPLAY_OPERATION } from './operations.ts';
import { ReplayBodySchema, replayMembers } from './schemas.ts';
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
