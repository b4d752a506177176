import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#lib/problem.ts';
import { networkOf } from './address-limit.ts';
import type { LivePages } from './live-pages.ts';
import { qualityOf } from './read-preferences.ts';
import { leavePlace } from './shed-overload.ts';

export interface LivePageRoute {
  /** The route's pattern. */
  readonly path: string;
  readonly pages: LivePages;
  /** What the page shows, by the address it asks at; null: nothing that can change. */
  readonly idOf: (request: FastifyRequest) => string | null;
}

/** A proxy cuts what is silent for 30 s or more. */
const BEAT_MS = 20_000;
/** A stream ends after ten minutes, and the page opens another: none is held for ever. */
const MOST_BEATS = 30;
/** When a browser asks again after a stream ended or broke. */
const RETRY_MS = 3_000;
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
  const streams = createStreams();
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
    if (id === null) throw new Problem('ROUTE_NOT_FOUND');
    const wantsStream = qualityOf(EVENT_STREAM, request.headers.accept ?? 'application/json') > 0;
    const isPlain = qualityOf('application/json', request.headers.accept) > 0;
    if (request.method !== 'GET' || !wantsStream || isPlain) {
      return reply.send({ hasChanged: await route.pages.hasChanged(id, seenVersion) });
    }
    leavePlace(request.raw);
    return streams.open(request, reply, (onChange) =>
      route.pages.follow(id, seenVersion, onChange),
    );
  });
}

interface LiveRoute {
  Querystring: { seen?: unknown };
}

interface Stream {
  readonly reply: FastifyReply;
  beats: number;
}

function createStreams() {
  const streams = new Set<Stream>();
  const countOf = new Map<string, number>();
  const beat = setInterval(beatAll, BEAT_MS).unref();

  function beatAll(): void {
    for (const stream of streams) {
      stream.beats += 1;
      const { raw } = stream.reply;
      if (raw.writableLength > MOST_UNREAD_BYTES) raw.destroy();
      else if (stream.beats >= MOST_BEATS) raw.end();
      else raw.write(':\n\n');
    }
  }

  return {
    open(
      { ip, raw: { socket } }: FastifyRequest,
      reply: FastifyReply,
      follow: (onChange: () => void) => (() => void) | null,
    ): FastifyReply {
      const address = networkOf(ip);
      const count = countOf.get(address) ?? 0;
      const { raw } = reply;
      const leave =
        count >= MOST_OF_AN_ADDRESS
          ? null
          : follow(() => {
              // Not before the head is written, where it has changed already.
              setImmediate(() => raw.end('event: changed\ndata: 1\n\n'));
            });
      // A browser does not ask again after this: the page then polls.
      if (!leave) {
        throw new Problem('TEMPORARILY_UNAVAILABLE', {
          headers: { 'retry-after': STREAM_RETRY_SECONDS },
        });
      }
      const stream: Stream = { reply, beats: 0 };
      streams.add(stream);
      countOf.set(address, count + 1);
      raw.once('close', () => {
        leave();
        streams.delete(stream);
        const left = (countOf.get(address) ?? 1) - 1;
        if (left === 0) countOf.delete(address);
        else countOf.set(address, left);
      });
      reply.hijack();
      socket.setNoDelay(true);
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': EVENT_STREAM,
        // Some proxies keep an answer until it is complete.
        'x-accel-buffering': 'no',
      });
      raw.write(`retry: ${RETRY_MS}\nevent: ready\ndata: 1\n\n`);
      return reply;
    },
    endAll() {
      clearInterval(beat);
      for (const { reply } of streams) reply.raw.end();
    },
  };
}
