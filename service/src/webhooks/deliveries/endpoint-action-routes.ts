import type { FastifyInstance } from 'fastify';
import type { Executor } from '#database/database.ts';
import { registerJsonBody } from '#http/json/body.ts';
import { prepareOptionalJsonBody, readJsonCall } from '#http/json/call.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { answerEndpointCall, type CallAnswer } from '#webhooks/endpoints/answer-call.ts';
import { changeEndpoint } from '#webhooks/endpoints/change.ts';
import { RESUME_OPERATION, ROTATE_OPERATION } from '#webhooks/endpoints/operations.ts';
import { rotateSecret } from '#webhooks/endpoints/rotate-secret.ts';
import type { ById, EndpointRoutesDeps } from '#webhooks/endpoints/routes.ts';
import { EmptyBodySchema, RotationSchema } from '#webhooks/endpoints/schemas.ts';
import { TEST_OPERATION } from './operations.ts';
import { deliveryMembers } from './render-json.ts';
import { testEndpoint } from './send-test.ts';

/** Registers the actions on one webhook endpoint (delivery §3); bodies may be left out. */
export function registerEndpointActionRoutes(app: FastifyInstance, deps: EndpointRoutesDeps): void {
  const path = `${new URL(`${deps.publicApiUrl}/webhook-endpoints`).pathname}/:id`;
  app.register(async (scope) => {
    registerJsonBody(scope, { mayBeEmpty: true });
    registerRotation(scope, `${path}/rotate-secret`, deps);
    registerTest(scope, `${path}/test`, deps);
    registerResumption(scope, `${path}/resume`, deps);
  });
}

function registerRotation(scope: FastifyInstance, path: string, deps: EndpointRoutesDeps): void {
  scope.post<ById>(
    path,
    {
      onRequest: deps.requireMerchant('webhook/manage'),
      preValidation: prepareOptionalJsonBody(RotationSchema),
      schema: ROTATE_OPERATION,
      attachValidation: true,
    },
    (request, reply) => {
      const { merchant, params } = request;
      const { members, faults } = readJsonCall(request, RotationSchema);
      const overlapHours = members.overlapHours as number | undefined;
      const isForced = members.force === true;
      return answerEndpointCall(deps, request, reply, async (tx) => {
        const asked = { id: params.id, overlapHours, isForced, faults };
        return { status: 200, body: await rotateSecret(tx, deps, merchant.id, asked) };
      });
    },
  );
}

function registerTest(scope: FastifyInstance, path: string, deps: EndpointRoutesDeps): void {
  scope.post<ById>(
    path,
    {
      onRequest: deps.requireMerchant('webhook/manage'),
      preValidation: prepareOptionalJsonBody(EmptyBodySchema),
      schema: TEST_OPERATION,
      attachValidation: true,
    },
    (request, reply) => {
      const { merchant, params } = request;
      const { faults } = readJsonCall(request, EmptyBodySchema);
      const work = async (tx: Executor): Promise<CallAnswer> => {
        throwFaults(faults);
        const delivery = await testEndpoint(tx, deps, merchant, params.id);
        return { status: 202, body: deliveryMembers(delivery) };
      };
      return answerEndpointCall(deps, request, reply, work, deps.wakeSenders);
    },
  );
}

function registerResumption(scope: FastifyInstance, path: string, deps: EndpointRoutesDeps): void {
  scope.post<ById>(
    path,
    {
      onRequest: deps.requireMerchant('webhook/manage'),
      preValidation: prepareOptionalJsonBody(EmptyBodySchema),
      schema: RESUME_OPERATION,
      attachValidation: true,
    },
    (request, reply) => {
      const { merchant, params } = request;
      const { faults } = readJsonCall(request, EmptyBodySchema);
      const work = async (tx: Executor): Promise<CallAnswer> => {
        throwFaults(faults);
        const patch = { status: 'ACTIVE' } as const;
        const { body } = await changeEndpoint(tx, deps, merchant.id, params.id, patch);
        return { status: 200, body };
      };
      return answerEndpointCall(deps, request, reply, work, deps.wakeSenders);
    },
  );
}
