import type { FastifyInstance } from 'fastify';
import { readPages } from '#database/lists/read-pages.ts';
import { readPrimary } from '#database/replica/overview-reads.ts';
import { answerPages, registerListRoute } from '#merchants/lists/list-route.ts';
import { merchantCall } from '#merchants/merchant-call.ts';
import { sendJson } from '#webhooks/endpoints/answer-call.ts';
import type { ById, EndpointRoutesDeps } from '#webhooks/endpoints/routes.ts';
import { DELIVERY_LIST } from './delivery-list.ts';
import {
  LIST_DELIVERIES_OPERATION,
  READ_DELIVERY_OPERATION,
  REDELIVER_OPERATION,
} from './operations.ts';
import { readDelivery } from './read-delivery.ts';
import { redeliver } from './redeliver.ts';
import { registerAction } from './register-action.ts';
import { attemptMembers, deliveryMembers } from './render-json.ts';

/** A merchant's webhook deliveries: list, read, send again (delivery §3). */
export function registerDeliveryRoutes(app: FastifyInstance, deps: EndpointRoutesDeps): void {
  const path = new URL(`${deps.publicApiUrl}/webhook-deliveries`).pathname;
  const reads = readPrimary(deps.db);
  registerListRoute(
    app,
    { ...deps, reads },
    {
      list: DELIVERY_LIST,
      operation: LIST_DELIVERIES_OPERATION,
      answerPage: answerPages(deps, DELIVERY_LIST, readPages(reads, DELIVERY_LIST), (delivery) =>
        JSON.stringify(deliveryMembers(delivery)),
      ),
    },
  );
  app.get<ById>(
    `${path}/:id`,
    merchantCall(deps, READ_DELIVERY_OPERATION),
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
