import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
  closeWith(app, route.pages, streams);
  app.get<LiveRoute>(route.path, { schema: { hide: true } }, async (request, reply) => {
    const id = route.idOf(request);
    const isAnswered = await answerLivePage(route.pages, streams, id, request, reply);
    if (!isAnswered) throw unknownPage(route, request);
    return reply;
  });
}

/** Streams and waits end when the listener closes. */
export function closeWith(app: FastifyInstance, pages: LivePages, streams: LiveStreams): void {
  app.addHook('preClose', async () => {
    pages.close();
    streams.endAll();
  });
}

/**
 * Answers whether the page of an id has changed, or follows the page in a stream.
 *
 * @returns false for an id that the database does not know; then nothing was answered
 */
export async function answerLivePage(
  pages: LivePages,
  streams: LiveStreams,
  id: string | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  reply.header('cache-control', 'no-store').header('vary', 'Accept');
  const { seen } = request.query as LiveRoute['Querystring'];
  const seenVersion = /^\d{1,9}$/.test(String(seen)) ? Number(seen) : 0;
  const wantsStream = qualityOf(EVENT_STREAM, request.headers.accept ?? 'application/json') > 0;
  const isPlain = qualityOf('application/json', request.headers.accept) > 0;
  if (request.method !== 'GET' || !wantsStream || isPlain) {
    const hasChanged = id && (await pages.hasChanged(id, seenVersion));
    if (typeof hasChanged !== 'boolean') return false;
    reply.send({ hasChanged });
    return true;
  }
  return (
    id !== null &&
    (await streams.open(request, reply, (onChange) => pages.follow(id, seenVersion, onChange)))
  );
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
