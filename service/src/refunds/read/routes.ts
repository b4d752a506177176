import type { FastifyInstance } from 'fastify';
import { readPages } from '#database/lists/read-pages.ts';
import { entityTag, matchesNone } from '#http/headers/entity-tag.ts';
import { renderPage } from '#http/json/page-body.ts';
import { queryFaults } from '#http/json/query.ts';
import { goneSignal, releasePermit } from '#http/overload/pending-responses.ts';
import { Problem } from '#lib/problem.ts';
import { answerPages, type ListRouteDeps, registerListRoute } from '#merchants/lists/list-route.ts';
import { merchantCall } from '#merchants/merchant-call.ts';
import { findOwnPaymentRequest } from '#payment-requests/lookup/find-own.ts';
import type { ReadQuery } from '#payment-requests/read/schemas.ts';
import { type RefundSettings, refundHeaders, renderRefund } from '#refunds/model/render-json.ts';
import {
  LIST_REFUNDS_OF_PAYMENT_OPERATION,
  LIST_REFUNDS_OPERATION,
  READ_REFUND_OPERATION,
} from './operations.ts';
import { type ReadRefundDeps, readRefund } from './read-refund.ts';
import { refundList } from './refund-list.ts';
import { type RefundListQuery, RefundsOfPaymentQuerySchema } from './schemas.ts';

export interface ReadRefundRoutesDeps
  extends ReadRefundDeps,
    Omit<ListRouteDeps, keyof ReadRefundDeps | 'publicApiUrl'> {
  readonly settings: RefundSettings;
}

/** The calls that read refunds (contract §11). */
export function registerReadRefundRoutes(app: FastifyInstance, deps: ReadRefundRoutesDeps): void {
  registerRead(app, deps);
  registerList(app, deps);
  registerListOfPayment(app, deps);
}

function pathOf({ settings }: ReadRefundRoutesDeps, resource: string): string {
  return new URL(`${settings.publicApiUrl}/${resource}`).pathname;
}

function registerRead(app: FastifyInstance, deps: ReadRefundRoutesDeps): void {
  app.get<{ Params: { id: string }; Querystring: ReadQuery }>(
    `${pathOf(deps, 'refunds')}/:id`,
    merchantCall(deps, READ_REFUND_OPERATION),
    async (request, reply) => {
      const errors = queryFaults(request);
      if (errors.length > 0) throw new Problem('VALIDATION_ERROR', { errors });
      const ifNoneMatch = request.headers['if-none-match'];
      const { waitSeconds: seconds } = request.query;
      const wait = seconds ? { seconds, ifNoneMatch, gone: goneSignal(reply) } : null;
      // A call that waits works on nothing, so it gives its permit of the load gate back.
      if (wait) releasePermit(reply.raw);
      const current = await readRefund(deps, request.merchant.id, request.params.id, wait);
      request.paymentRequestId = current.paymentRequestId;
      if (wait) await request.checkMerchantAgain();
      if (matchesNone(ifNoneMatch, current.version)) {
        return reply.code(304).header('etag', entityTag(current.version)).send();
      }
      const headers = refundHeaders(200, current, deps.settings);
      return reply.headers(headers).send(renderRefund(current, deps.settings));
    },
  );
  // Waiting calls are answered before the listener closes.
  app.addHook('preClose', async () => deps.waiters.close());
}

function registerList(app: FastifyInstance, deps: ReadRefundRoutesDeps): void {
  const { reads, settings } = deps;
  const list = refundList(settings);
  registerListRoute(
    app,
    { ...deps, publicApiUrl: settings.publicApiUrl },
    {
      list,
      operation: LIST_REFUNDS_OPERATION,
      answerPage: answerPages(settings, list, readPages(reads, list), (refund) =>
        renderRefund(refund, settings),
      ),
    },
  );
}

function registerListOfPayment(app: FastifyInstance, deps: ReadRefundRoutesDeps): void {
  const { db, settings } = deps;
  const list = refundList(settings);
  app.get<{ Params: { id: string }; Querystring: Partial<RefundListQuery> }>(
    `${pathOf(deps, 'payment-requests')}/:id/refunds`,
    merchantCall(deps, LIST_REFUNDS_OF_PAYMENT_OPERATION),
    async (request, reply) => {
      const { id } = request.params;
      request.paymentRequestId = id;
      const { merchant, query } = request;
      const { id: paymentRequestId } = await findOwnPaymentRequest(db, merchant.id, id);
      const asked = { ...query, paymentRequestId };
      const page = await list.readPage(db, merchant.id, asked, queryFaults(request));
      const data = page.data.map((refund) => renderRefund(refund, settings));
      const address = `${settings.publicApiUrl}/payment-requests/${id}/refunds`;
      return reply
        .type('application/json; charset=utf-8')
        .send(renderPage({ ...page, data }, address, RefundsOfPaymentQuerySchema, query));
    },
  );
}
