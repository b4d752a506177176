import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { qualityOf } from '#http/negotiation/read-preferences.ts';
import type { AddressLimit } from '#http/overload/address-limit.ts';
import { Problem } from '#lib/problem.ts';
import type { LivePages } from './live-pages.ts';
import { LiveStreams, type StreamBound } from './streams.ts';

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
 * The bound of streams of one payment request. A payer has one or two pages open, on a phone and a
 * computer. A stranger with the link takes no more than these.
 */
const MAX_OF_A_PAGE = 20;

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
    const id = route.idOf(request);
    const bounds = [{ key: `page ${id}`, max: MAX_OF_A_PAGE }];
    const isAnswered = await answerLivePage(route.pages, { streams, bounds }, id, request, reply);
    if (!isAnswered) throw unknownPage(route, request);
    return reply;
  });
}

/** The streams of a route, and the bounds of the caller beside those that hold for all. */
export interface BoundedStreams {
  readonly streams: LiveStreams;
  readonly bounds: readonly StreamBound[];
}

/**
 * Answers whether the page of an id has changed, or follows the page in a stream.
 *
 * @returns false for an id that the database does not know; then nothing was answered
 */
export async function answerLivePage(
  pages: LivePages,
  { streams, bounds }: BoundedStreams,
  id: string | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  reply.header('cache-control', 'no-store').header('vary', 'Accept');
  const { seen } = request.query as LiveRoute['Querystring'];
  // A version may be an instant in milliseconds.
  const seenVersion = /^\d{1,15}$/.test(String(seen)) ? Number(seen) : 0;
  const wantsStream = qualityOf(EVENT_STREAM, request.headers.accept ?? 'application/json') > 0;
  const isPlain = qualityOf('application/json', request.headers.accept) > 0;
  if (request.method !== 'GET' || !wantsStream || isPlain) {
    const hasChanged = id && (await pages.hasChanged(id, seenVersion));
    if (typeof hasChanged !== 'boolean') return false;
    reply.send({ hasChanged });
    return true;
  }
  if (id === null) return false;
  const follow = (onChange: () => void) => pages.follow(id, seenVersion, onChange);
  return streams.open(request, reply, follow, bounds);
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
