import type { FastifyInstance, FastifySchema } from 'fastify';
import { queryFaults } from '#http/json/query.ts';
import { goneSignal, releasePermit } from '#http/overload/pending-responses.ts';
import { merchantCall } from '#merchants/merchant-call.ts';
import examples from '#webhooks/endpoints/examples.json' with { type: 'json' };
import type { EndpointRoutesDeps } from '#webhooks/endpoints/routes.ts';
import { readEventFeed } from './read-feed.ts';
import { type FeedQuery, FeedQuerySchema, feedSchema, type ResourceSchemas } from './schemas.ts';
import type { FeedWaiters } from './wait-for-events.ts';

export interface EventFeedRoutesDeps
  extends Pick<EndpointRoutesDeps, 'db' | 'publicApiUrl' | 'requireMerchant'> {
  readonly feedWaiters: FeedWaiters;
}

/**
 * The feed of a merchant's events (delivery §3).
 * @param resources the schemas of what the events show
 */
export function registerEventFeedRoutes(
  app: FastifyInstance,
  deps: EventFeedRoutesDeps,
  resources: ResourceSchemas,
): void {
  const address = `${deps.publicApiUrl}/events`;
  app.get<{ Querystring: Partial<FeedQuery> }>(
    new URL(address).pathname,
    merchantCall(deps, operationOf(resources)),
    async (request, reply) => {
      const { merchant, query } = request;
      const faults = queryFaults(request);
      if (query.waitSeconds) releasePermit(reply.raw);
      const answer = await readEventFeed(deps, merchant.id, query, faults, goneSignal(reply));
      if (query.waitSeconds) await request.checkMerchantAgain();
      const { bodies, hasMore, nextCursor } = answer;
      const links = [
        { rel: 'self', href: hrefOf(address, query) },
        { rel: 'next', href: hrefOf(address, { ...query, after: nextCursor }) },
      ];
      const tail = JSON.stringify({ hasMore, nextCursor, links }).slice(1);
      return reply
        .type('application/json; charset=utf-8')
        .send(`{"data":[${bodies.join(',')}],${tail}`);
    },
  );
  // Waiting calls get their answers, so that the listener can close.
  app.addHook('preClose', () => deps.feedWaiters.close());
}

/** GET /events. */
function operationOf(resources: ResourceSchemas) {
  return {
    operationId: 'readEvents',
    summary: 'Follow the events',
    description:
      'Every event of your payment requests, whether or not it was delivered, oldest first, kept ' +
      'for 90 days. Ask again with nextCursor as after, for ever: no event is left out. ' +
      'Events of refunds and of returned money are shown where eventTypes asks for them.',
    tags: ['Webhooks'],
    scopes: ['event/read'],
    querystring: FeedQuerySchema,
    answers: {
      200: {
        description: 'The next events; none when there are none yet.',
        content: { 'application/json': feedSchema(resources) },
      },
    },
    examples: examples.readEvents,
  } as const satisfies FastifySchema;
}

function hrefOf(address: string, query: Partial<FeedQuery>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, String(value));
  return url.href;
}
