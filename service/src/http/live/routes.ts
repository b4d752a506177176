import type { FastifyInstance, FastifyRequest } from 'fastify';
import { qualityOf } from '#http/negotiation/read-preferences.ts';
import type { AddressLimit } from '#http/overload/address-limit.ts';
import { Problem } from '#lib/problem.ts';
import type { LivePages } from './live-pages.ts';
import { LiveStreams } from './streams.ts';

export interface LivePageRoute {
  /** The route's pattern. */
  readonly path: string;
  readonly pages: LivePages;
  /** The id that the page shows, by the address it asks at; null: nothing that can change. */
  readonly idOf: (request: FastifyRequest) => string | null;
  /** Counts ids that the database does not know. */
  readonly misses: AddressLimit;
  /** The bound of streams of this route in a process; the default is that of LiveStreams. */
  readonly maxStreams?: number;
}

const EVENT_STREAM = 'text/event-stream';

/**
 * Notifies an open page of changes: by server-sent events, or by polling where a proxy holds those
 * back. Both say only that there is something new: the page is the truth. Only scripts call this
 * route, so that a refusal is a problem document and no page.
 */
export function registerLivePageRoute(app: FastifyInstance, route: LivePageRoute): void {
  const streams = new LiveStreams(route.maxStreams);
  app.addHook('preClose', async () => {
    route.pages.close();
    streams.endAll();
  });
  app.get<LiveRoute>(route.path, { schema: { hide: true } }, async (request, reply) => {
    reply.header('cache-control', 'no-store').header('vary', 'Accept');
    const seenVersion = /^\d{1,9}$/.test(String(request.query.seen))
      ? Number(request.query.seen)
      : 0;
    const id = route.idOf(request);
    const wantsStream = qualityOf(EVENT_STREAM, request.headers.accept ?? 'application/json') > 0;
    const isPlain = qualityOf('application/json', request.headers.accept) > 0;
    if (request.method !== 'GET' || !wantsStream || isPlain) {
      const hasChanged = id && (await route.pages.hasChanged(id, seenVersion));
      if (typeof hasChanged === 'boolean') return reply.send({ hasChanged });
      throw unknownPage(route, request);
    }
    const isOpen =
      id !== null &&
      (await streams.open(request, reply, (onChange) =>
        route.pages.follow(id, seenVersion, onChange),
      ));
    if (!isOpen) throw unknownPage(route, request);
    return reply;
  });
}

/** Only ids that do not exist are counted: a page that exists is never refused for others'. */
function unknownPage({ misses }: LivePageRoute, { ip }: FastifyRequest): Problem {
  if (misses.count(ip)) return new Problem('ROUTE_NOT_FOUND');
  return new Problem('RATE_LIMITED', {
    detail: 'Too many pages that do not exist are asked for from this address.',
    headers: { 'retry-after': `${misses.retryAfterSeconds()}` },
  });
}

interface LiveRoute {
  Querystring: { seen?: unknown };
}
