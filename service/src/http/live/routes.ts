import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { qualityOf } from '#http/negotiation/read-preferences.ts';
import { type AddressLimit, networkOf } from '#http/overload/address-limit.ts';
import { releasePermit } from '#http/overload/owed-answers.ts';
import { Problem } from '#lib/problem.ts';
import type { LivePages } from './live-pages.ts';

export interface LivePageRoute {
  /** The route's pattern. */
  readonly path: string;
  readonly pages: LivePages;
  /** What the page shows, by the address it asks at; null: nothing that can change. */
  readonly idOf: (request: FastifyRequest) => string | null;
  /** Counts ids that the database does not know. */
  readonly misses: AddressLimit;
  /** The most streams of this route in a process; default MOST_STREAMS. */
  readonly mostStreams?: number;
}

/** A proxy cuts what is silent for 30 s or more. */
const BEAT_MS = 20_000;
/** A stream ends after ten minutes, and the page opens another: none is held for ever. */
const MOST_BEATS = 30;
/** When a browser asks again after a stream ended or broke. */
const RETRY_MS = 3_000;
/** The most streams of one process; each takes some 30 KB of memory with its connection. */
const MOST_STREAMS = 10_000;
/** One household or office; a person has a few pages open. */
const MOST_OF_AN_ADDRESS = 500;
/** A caller that does not read: a beat is 3 bytes. */
const MOST_UNREAD_BYTES = 1_024;
/** A place may be free again by then; the page polls meanwhile. */
const STREAM_RETRY_SECONDS = '30';
const EVENT_STREAM = 'text/event-stream';

/**
 * Where an open page hears that what it shows has changed: as server-sent events, or by polling
 * where those do not get through. Both say only that there is something new: the page is the truth.
 * Only scripts ask here, so that a refusal is a problem document and no page.
 */
export function registerLivePageRoute(app: FastifyInstance, route: LivePageRoute): void {
  const streams = createStreams(route.mostStreams ?? MOST_STREAMS);
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

interface Stream {
  readonly reply: FastifyReply;
  beats: number;
}

function createStreams(mostStreams: number) {
  const streams = new Set<Stream>();
  const countOf = new Map<string, number>();
  const beat = setInterval(beatAll, BEAT_MS).unref();
  let isClosed = false;

  function beatAll(): void {
    for (const stream of streams) {
      stream.beats += 1;
      const { raw } = stream.reply;
      if (raw.writableLength > MOST_UNREAD_BYTES) raw.destroy();
      else if (stream.beats >= MOST_BEATS) raw.end();
      else raw.write(':\n\n');
    }
  }

  function count(address: string): void {
    countOf.set(address, (countOf.get(address) ?? 0) + 1);
  }

  function uncount(address: string): void {
    const left = (countOf.get(address) ?? 1) - 1;
    if (left === 0) countOf.delete(address);
    else countOf.set(address, left);
  }

  function isFull(address: string): boolean {
    return streams.size >= mostStreams || (countOf.get(address) ?? 0) >= MOST_OF_AN_ADDRESS;
  }

  return {
    /** @returns false where there is nothing to follow; then nothing was answered. */
    async open(
      { ip, raw: request }: FastifyRequest,
      reply: FastifyReply,
      follow: (onChange: () => void) => Promise<(() => void) | null>,
    ): Promise<boolean> {
      const address = networkOf(ip);
      const { raw } = reply;
      const leave = await follow(() => {
        // Not before the head is written, where it has changed already.
        setImmediate(() => raw.end('event: changed\ndata: 1\n\n'));
      });
      if (!leave) return false;
      if (isFull(address) || request.socket.destroyed) {
        leave();
        // A browser does not ask again after this: the page then polls.
        throw new Problem('TEMPORARILY_UNAVAILABLE', {
          headers: { 'retry-after': STREAM_RETRY_SECONDS },
        });
      }
      const stream: Stream = { reply, beats: 0 };
      streams.add(stream);
      count(address);
      raw.once('close', () => {
        leave();
        streams.delete(stream);
        uncount(address);
      });
      // Not earlier: an id that is looked up for the first time holds its place meanwhile.
      releasePermit(raw);
      reply.hijack();
      request.socket.setNoDelay(true);
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': EVENT_STREAM,
        // Some proxies keep an answer until it is complete.
        'x-accel-buffering': 'no',
      });
      raw.write(`retry: ${RETRY_MS}\nevent: ready\ndata: 1\n\n`);
      // A page that opens during a stop opens its stream again elsewhere.
      if (isClosed) raw.end();
      return true;
    },
    endAll() {
      isClosed = true;
      clearInterval(beat);
      for (const { reply } of streams) reply.raw.end();
    },
  };
}
