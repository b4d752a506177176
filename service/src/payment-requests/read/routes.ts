import type { FastifyInstance } from 'fastify';
import { matchesNone, withoutParts } from '#http/headers/entity-tag.ts';
import { queryFaults } from '#http/json/query.ts';
import { goneSignal, releasePermit } from '#http/overload/pending-responses.ts';
import { inSpan } from '#lib/call-context.ts';
import { Problem } from '#lib/problem.ts';
import { type MerchantCallDeps, merchantCall } from '#merchants/merchant-call.ts';
import { entityTagOf, sendPaymentRequest } from '#payment-requests/model/render-answer.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import { READ_OPERATION } from './operations.ts';
import { type ReadDeps, readPaymentRequest } from './read-payment-request.ts';
import type { ReadQuery } from './schemas.ts';

export interface ReadRoutesDeps extends ReadDeps, MerchantCallDeps {
  readonly settings: PublicSettings;
}

/** GET /payment-requests/{id} (interface §4; contract §4, Read). */
export function registerReadRoutes(app: FastifyInstance, deps: ReadRoutesDeps): void {
  const base = new URL(`${deps.settings.publicApiUrl}/payment-requests`).pathname;
  app.get<{ Params: { id: string }; Querystring: ReadQuery }>(
    `${base}/:id`,
    merchantCall(deps, READ_OPERATION),
    async (request, reply) => {
      request.paymentRequestId = request.params.id;
      const errors = queryFaults(request);
      if (errors.length > 0) throw new Problem('VALIDATION_ERROR', { errors });
      const ifNoneMatch = request.headers['if-none-match'];
      const { waitSeconds: seconds } = request.query;
      const known = withoutParts(ifNoneMatch);
      const wait = seconds ? { seconds, ifNoneMatch: known, gone: goneSignal(reply) } : null;
      // A call that waits works on nothing, so it gives its permit of the load gate back.
      if (wait) releasePermit(reply.raw);
      const current = await inSpan('read-payment-request', () =>
        readPaymentRequest(deps, request.merchant.id, request.params.id, wait),
      );
      if (wait) await request.checkMerchantAgain();
      const tag = entityTagOf(current);
      if (matchesNone(ifNoneMatch, tag.slice(1, -1))) {
        return reply.code(304).header('etag', tag).send();
      }
      return sendPaymentRequest(reply, current, deps.settings);
    },
  );
  // Waiting calls are answered before the listener closes.
  app.addHook('preClose', async () => deps.waiters.close());
}
