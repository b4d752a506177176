import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { Database } from '#database/database.ts';
import { prepareQuery, queryFaults } from '#http/json/query.ts';
import type { Clock } from '#lib/clock.ts';
import type { Scope } from '#merchants/scopes.ts';
import type { PublicAddresses } from '#payment-requests/model/render-json.ts';
import { TIMELINE_OPERATION } from './operation.ts';
import { readTimeline } from './read-timeline.ts';
import { timelineEntryMembers } from './render-json.ts';
import { type TimelineQuery, TimelineQuerySchema } from './schemas.ts';

export interface TimelineRoutesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly addresses: PublicAddresses;
  /** Lets a call with one of the scopes pass and sets `request.merchant` (contract §4). */
  readonly requireMerchant: (...scopes: Scope[]) => onRequestAsyncHookHandler;
}

interface TimelineRoute {
  Params: { id: string };
  Querystring: Partial<TimelineQuery>;
}

/** What happened to a payment request, in one list (contract §4, Timeline). */
export function registerTimelineRoutes(app: FastifyInstance, deps: TimelineRoutesDeps): void {
  const { publicApiUrl } = deps.addresses;
  app.get<TimelineRoute>(
    `${new URL(publicApiUrl).pathname.replace(/\/$/, '')}/payment-requests/:id/timeline`,
    {
      onRequest: deps.requireMerchant('payment_request/read'),
      preValidation: prepareQuery(TimelineQuerySchema),
      schema: TIMELINE_OPERATION,
      attachValidation: true,
    },
    async (request, reply) => {
      const { merchant, params, query } = request;
      request.paymentRequestId = params.id;
      const faults = queryFaults(request);
      const { data, nextCursor } = await readTimeline(deps, merchant.id, params.id, query, faults);
      const links = [{ rel: 'self', href: hrefOf(publicApiUrl, params.id, query) }];
      if (nextCursor !== null) {
        const next = hrefOf(publicApiUrl, params.id, { ...query, cursor: nextCursor });
        links.push({ rel: 'next', href: next });
      }
      const hasMore = nextCursor !== null;
      const body = { data: data.map(timelineEntryMembers), hasMore, nextCursor, links };
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
    },
  );
}

function hrefOf(publicApiUrl: string, id: string, query: Partial<TimelineQuery>): string {
  const url = new URL(`${publicApiUrl}/payment-requests/${id}/timeline`);
  for (const name of Object.keys(TimelineQuerySchema.properties)) {
    const value = query[name as keyof TimelineQuery];
    if (value !== undefined) url.searchParams.append(name, String(value));
  }
  return url.href;
}
