import type { FastifyInstance } from 'fastify';
import { readJsonCall } from '#http/json/call.ts';
import { merchantCall } from '#merchants/merchant-call.ts';
import { answerEndpointCall } from '#webhooks/endpoints/answer-call.ts';
import { changeEndpoint } from '#webhooks/endpoints/change.ts';
import { RESUME_OPERATION, ROTATE_OPERATION } from '#webhooks/endpoints/operations.ts';
import { rotateSecret } from '#webhooks/endpoints/rotate-secret.ts';
import type { ById, EndpointRoutesDeps } from '#webhooks/endpoints/routes.ts';
import { RotationSchema } from '#webhooks/endpoints/schemas.ts';
import { TEST_OPERATION } from './operations.ts';
import { registerAction } from './register-action.ts';
import { deliveryMembers } from './render-json.ts';
import { type SendTestDeps, testEndpoint } from './send-test.ts';

/** Registers the actions on one webhook endpoint (delivery §3); bodies may be left out. */
export function registerEndpointActionRoutes(
  app: FastifyInstance,
  deps: EndpointRoutesDeps & SendTestDeps,
): void {
  const path = `${new URL(`${deps.publicApiUrl}/webhook-endpoints`).pathname}/:id`;
  registerRotation(app, `${path}/rotate-secret`, deps);
  registerAction(app, `${path}/test`, deps, {
    schema: TEST_OPERATION,
    async act(tx, merchant, id) {
      const delivery = await testEndpoint(tx, deps, merchant, id);
      return { status: 202, body: deliveryMembers(delivery) };
    },
  });
  registerAction(app, `${path}/resume`, deps, {
    schema: RESUME_OPERATION,
    async act(tx, { id: merchantId }, id) {
      const { body } = await changeEndpoint(tx, deps, merchantId, id, { status: 'ACTIVE' });
      return { status: 200, body };
    },
  });
}

function registerRotation(app: FastifyInstance, path: string, deps: EndpointRoutesDeps): void {
  app.post<ById>(path, merchantCall(deps, ROTATE_OPERATION), (request, reply) => {
    const { merchant, params } = request;
    const { members, faults } = readJsonCall(request, RotationSchema);
    const overlapHours = members.overlapHours as number | undefined;
    const isForced = members.force === true;
    return answerEndpointCall(deps, request, reply, async (tx) => {
      const asked = { id: params.id, overlapHours, isForced, faults };
      return { status: 200, body: await rotateSecret(tx, deps, merchant.id, asked) };
    });
  });
}
