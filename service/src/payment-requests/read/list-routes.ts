import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Database } from '#database/database.ts';
import type { OverviewReads } from '#database/replica/overview-reads.ts';
import { stateLag, stateReplicaLag } from '#http/headers/state-replica-lag.ts';
import { renderPage } from '#http/json/page-body.ts';
import { prepareQuery, queryFaults } from '#http/json/query.ts';
import { requireMediaType } from '#http/negotiation/choose-media-type.ts';
import type { Clock } from '#lib/clock.ts';
import { createCsvSender } from '#merchants/csv-streams/send-csv-stream.ts';
import type { Scope } from '#merchants/scopes.ts';
import { type PublicSettings, renderPaymentRequest } from '#payment-requests/model/render-json.ts';
import type { ReadSharedPage, SharedPage } from './list-payment-requests.ts';
import { LIST_OPERATION } from './operations.ts';
import { type ListQuery, ListQuerySchema } from './schemas.ts';
import { readStreamQuery, streamPaymentRequests } from './stream-csv.ts';

export interface ListRoutesDeps {
  readonly db: Database;
  readonly reads: OverviewReads;
  readonly readPage: ReadSharedPage;
  readonly clock: Clock;
  readonly settings: PublicSettings;
  /** Admits calls that have one of the scopes, and sets `request.merchant` (contract §4). */
  readonly requireMerchant: (...scopes: Scope[]) => onRequestHookHandler;
}

interface ListRoute {
  Querystring: Partial<ListQuery>;
}

/** A merchant's payment requests, as pages of JSON or all of them as CSV (contract §4, List). */
export function registerListRoutes(app: FastifyInstance, deps: ListRoutesDeps): void {
  const { settings } = deps;
  const sendCsv = createCsvSender(app, 'payment-requests', deps.clock);
  app.get<ListRoute>(
    new URL(`${settings.publicApiUrl}/payment-requests`).pathname,
    {
      onRequest: deps.requireMerchant('payment_request/read'),
      preValidation: prepareQuery(ListQuerySchema),
      schema: LIST_OPERATION,
      // The use case adds the faults that no schema finds, so that one answer names all faults.
      attachValidation: true,
    },
    (request, reply) => {
      reply.header('vary', 'Accept');
      switch (requireMediaType(request.headers.accept, ['application/json', 'text/csv'])) {
        case 'application/json':
          return sendPage(deps, request, reply);
        case 'text/csv': {
          const { merchant, query } = request;
          const filters = readStreamQuery(merchant.id, query, queryFaults(request));
          const stated = { ...deps, reads: stateReplicaLag(deps.reads, reply) };
          return sendCsv(request, reply, (calls) =>
            streamPaymentRequests(stated, merchant.id, filters, calls),
          );
        }
      }
    },
  );
}

async function sendPage(
  deps: ListRoutesDeps,
  request: FastifyRequest<ListRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { merchant, query } = request;
  const shared = await deps.readPage(merchant.id, query, queryFaults(request));
  stateLag(reply, shared.lagSeconds);
  shared.body ??= Buffer.from(renderList(shared, deps.settings, query));
  return reply.type('application/json; charset=utf-8').send(shared.body);
}

function renderList(
  { page }: SharedPage,
  settings: PublicSettings,
  query: Partial<ListQuery>,
): string {
  const data = page.data.map((each) => renderPaymentRequest(each, settings));
  const address = `${settings.publicApiUrl}/payment-requests`;
  return renderPage({ ...page, data }, address, ListQuerySchema, query);
}
