import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Database } from '#database/database.ts';
import type { OverviewReads } from '#database/replica/overview-reads.ts';
import { entityTag, matchesNone } from '#http/headers/entity-tag.ts';
import { stateReplicaLag } from '#http/headers/state-replica-lag.ts';
import { pageBody } from '#http/json/page-body.ts';
import { prepareQuery, queryFaults } from '#http/json/query.ts';
import { requireMediaType } from '#http/negotiation/choose-media-type.ts';
import { releasePermit } from '#http/overload/owed-answers.ts';
import type { Clock } from '#lib/clock.ts';
import type { Page } from '#lib/cursor.ts';
import { Problem } from '#lib/problem.ts';
import { createCsvSender } from '#merchants/csv-streams/send-csv-stream.ts';
import type { Scope } from '#merchants/scopes.ts';
import { type ReadQuery, ReadQuerySchema } from '#payment-requests/read/schemas.ts';
import type { Refund } from '#refunds/model/refund.ts';
import {
  type RefundSettings,
  refundHeaders,
  refundMembers,
  renderRefund,
} from '#refunds/model/render-json.ts';
import {
  listRefunds,
  listRefundsOfPayment,
  readStreamQuery,
  streamRefunds,
} from './list-refunds.ts';
import {
  LIST_REFUNDS_OF_PAYMENT_OPERATION,
  LIST_REFUNDS_OPERATION,
  READ_REFUND_OPERATION,
} from './operations.ts';
import { type ReadRefundDeps, readRefund } from './read-refund.ts';
import {
  type RefundListQuery,
  RefundListQuerySchema,
  RefundsOfPaymentQuerySchema,
} from './schemas.ts';

export interface ReadRefundRoutesDeps extends ReadRefundDeps {
  readonly db: Database;
  readonly reads: OverviewReads;
  readonly clock: Clock;
  readonly settings: RefundSettings;
  /** Admits calls that have one of the scopes, and sets `request.merchant` (contract §4). */
  readonly requireMerchant: (...scopes: Scope[]) => onRequestHookHandler;
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
    {
      onRequest: deps.requireMerchant('payment_request/read'),
      preValidation: prepareQuery(ReadQuerySchema),
      schema: READ_REFUND_OPERATION,
      attachValidation: true,
    },
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
  const { db, settings, clock } = deps;
  const sendCsv = createCsvSender(app, 'refunds', clock);
  app.get<{ Querystring: Partial<RefundListQuery> }>(
    pathOf(deps, 'refunds'),
    {
      onRequest: deps.requireMerchant('payment_request/read'),
      preValidation: prepareQuery(RefundListQuerySchema),
      schema: LIST_REFUNDS_OPERATION,
      // The use case adds the faults that no schema finds, so that one answer names all faults.
      attachValidation: true,
    },
    async (request, reply) => {
      reply.header('vary', 'Accept');
      const { query, merchant } = request;
      const faults = queryFaults(request);
      const reads = stateReplicaLag(deps.reads, reply);
      switch (requireMediaType(request.headers.accept, ['application/json', 'text/csv'])) {
        case 'application/json': {
          const { result: page } = await reads.read((from) =>
            listRefunds(from, merchant.id, query, faults),
          );
          return sendPage(deps, request, reply, page, 'refunds');
        }
        case 'text/csv': {
          const filters = readStreamQuery(merchant.id, query, faults);
          return sendCsv(request, reply, (calls) =>
            streamRefunds({ db, reads, settings }, merchant.id, filters, calls),
          );
        }
      }
    },
  );
}

function registerListOfPayment(app: FastifyInstance, deps: ReadRefundRoutesDeps): void {
  app.get<{ Params: { id: string }; Querystring: Partial<RefundListQuery> }>(
    `${pathOf(deps, 'payment-requests')}/:id/refunds`,
    {
      onRequest: deps.requireMerchant('payment_request/read'),
      preValidation: prepareQuery(RefundsOfPaymentQuerySchema),
      schema: LIST_REFUNDS_OF_PAYMENT_OPERATION,
      attachValidation: true,
    },
    async (request, reply) => {
      const { id } = request.params;
      request.paymentRequestId = id;
      const { merchant, query } = request;
      const faults = queryFaults(request);
      const page = await listRefundsOfPayment(deps.db, merchant.id, id, query, faults);
      return sendPage(deps, request, reply, page, `payment-requests/${id}/refunds`);
    },
  );
}

function sendPage(
  { settings }: ReadRefundRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page<Refund>,
  resource: string,
): FastifyReply {
  const data = page.data.map((each) => refundMembers(each, settings));
  const address = `${settings.publicApiUrl}/${resource}`;
  const query = request.query as Readonly<Record<string, unknown>>;
  const body = pageBody({ ...page, data }, address, RefundListQuerySchema, query);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** Aborts when the caller closes its connection, so that no wait outlives its caller. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
