import type { FastifyInstance } from 'fastify';
import { pageBody } from '#http/json/page-body.ts';
import { prepareQuery, queryFaults } from '#http/json/query.ts';
import { sendJson } from '#webhooks/endpoints/answer-call.ts';
import type { ById, EndpointRoutesDeps } from '#webhooks/endpoints/routes.ts';
import { listDeliveries } from './list-deliveries.ts';
import {
  LIST_DELIVERIES_OPERATION,
  READ_DELIVERY_OPERATION,
  REDELIVER_OPERATION,
} from './operations.ts';
import { readDelivery } from './read-delivery.ts';
import { redeliver } from './redeliver.ts';
import { registerAction } from './register-action.ts';
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
  registerAction(app, `${path}/:id/redeliver`, deps, {
    schema: REDELIVER_OPERATION,
    async act(tx, merchant, id) {
      const delivery = await redeliver(tx, merchant.id, id);
      return { status: 202, body: deliveryMembers(delivery) };
    },
  });
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
