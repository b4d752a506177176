import type { FastifyInstance } from 'fastify';
import type { Executor } from '#database/database.ts';
import { registerJsonBody } from '#http/json/body.ts';
import { prepareOptionalJsonBody, readJsonCall } from '#http/json/call.ts';
import { pageBody } from '#http/json/page-body.ts';
import { prepareQuery, queryFaults } from '#http/json/query.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { answerEndpointCall, type CallAnswer, sendJson } from '#webhooks/endpoints/answer-call.ts';
import type { ById, EndpointRoutesDeps } from '#webhooks/endpoints/routes.ts';
import { EmptyBodySchema } from '#webhooks/endpoints/schemas.ts';
import { listDeliveries } from './list-deliveries.ts';
import {
  LIST_DELIVERIES_OPERATION,
  READ_DELIVERY_OPERATION,
  REDELIVER_OPERATION,
} from './operations.ts';
import { readDelivery } from './read-delivery.ts';
import { redeliver } from './redeliver.ts';
import { attemptMembers, deliveryMembers } from './render-json.ts';
import { type DeliveryQuery, DeliveryQuerySchema } from './schemas.ts';

/** A merchant's webhook deliveries: list, read, send again (delivery §3). */
export function registerDeliveryRoutes(app: FastifyInstance, deps: EndpointRoutesDeps): void {
  const path = new URL(`${deps.publicApiUrl}/webhook-deliveries`).pathname;
  registerList(app, path, deps);
  app.get<ById>(
    `${path}/:id`,
    { onRequest: deps.requireMerchant('webhook/manage'), schema: READ_DELIVERY_OPERATION },
    async (request, reply) => {
      const { merchant, params } = request;
      const { delivery, attempts } = await readDelivery(deps.db, merchant.id, params.id);
      const attemptLog = attempts.map(attemptMembers);
      return sendJson(reply, { ...deliveryMembers(delivery), attemptLog });
    },
  );
  app.register(async (scope) => registerRedelivery(scope, `${path}/:id/redeliver`, deps));
}

function registerList(app: FastifyInstance, path: string, deps: EndpointRoutesDeps): void {
  app.get<{ Querystring: Partial<DeliveryQuery> }>(
    path,
    {
      onRequest: deps.requireMerchant('webhook/manage'),
      preValidation: prepareQuery(DeliveryQuerySchema),
      schema: LIST_DELIVERIES_OPERATION,
      attachValidation: true,
    },
    async (request, reply) => {
      const { merchant, query } = request;
      const page = await listDeliveries(deps.db, merchant.id, query, queryFaults(request));
      const data = page.data.map(deliveryMembers);
      const address = `${deps.publicApiUrl}/webhook-deliveries`;
      return sendJson(reply, pageBody({ ...page, data }, address, DeliveryQuerySchema, query));
    },
  );
}

function registerRedelivery(scope: FastifyInstance, path: string, deps: EndpointRoutesDeps): void {
  registerJsonBody(scope, { mayBeEmpty: true });
  scope.post<ById>(
    path,
    {
      onRequest: deps.requireMerchant('webhook/manage'),
      preValidation: prepareOptionalJsonBody(EmptyBodySchema),
      schema: REDELIVER_OPERATION,
      attachValidation: true,
    },
    (request, reply) => {
      const { merchant, params } = request;
      const { faults } = readJsonCall(request, EmptyBodySchema);
      const work = async (tx: Executor): Promise<CallAnswer> => {
        throwFaults(faults);
        const delivery = await redeliver(tx, merchant.id, params.id);
        return { status: 202, body: deliveryMembers(delivery) };
      };
      return answerEndpointCall(deps, request, reply, work, deps.wakeSenders);
    },
  );
}
