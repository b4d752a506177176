import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Coding, chooseCoding } from './choose-coding.ts';

/** Below it an answer and its head fit in one packet, compressed or not. */
const SMALLEST = 1_024;
/**
 * Up to this length the event loop compresses: 30 µs for a payment request. A thread of the pool
 * would take the event loop 50 µs, for the hand-over alone (decision 0038).
 */
const LARGEST_ON_LOOP = 4_096;
/** A level higher costs up to twice the CPU and saves about 3 % (decision 0038). */
const LEVEL = 3;

const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b|image\/svg\+xml)/;

interface Compress {
  readonly now: (body: string | Buffer) => Buffer;
  readonly soon: (
    body: string | Buffer,
    done: (error: Error | null, compressed: Buffer) => void,
  ) => void;
}

const gzipOptions = { level: LEVEL };
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: LEVEL } };
const COMPRESS: Readonly<Record<Coding, Compress>> = {
  gzip: {
    now: (body) => gzipSync(body, gzipOptions),
    soon: (body, done) => gzip(body, gzipOptions, done),
  },
  br: {
    now: (body) => brotliCompressSync(body, brotliOptions),
    soon: (body, done) => brotliCompress(body, brotliOptions, done),
  },
};

/**
 * Compresses answers of 1 kB and more for callers that ask. Streams pass as they are: a CSV list
 * and server-sent events go out piece by piece. Answers with secrets pass too (decision 0038). The
 * ETag stays: it is the version of a payment request, which `If-Match` compares strongly.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isText(payload) || payload.length < SMALLEST || !mayCompress(request, reply)) {
      return done(null, payload);
    }
    addVary(reply);
    const coding = chooseCoding(request.headers['accept-encoding']);
    if (coding === null) return done(null, payload);
    const send = (error: Error | null, compressed: Buffer) => {
      if (error) return done(null, payload);
      reply.header('content-encoding', coding).removeHeader('content-length');
      done(null, compressed);
    };
    const { now, soon } = COMPRESS[coding];
    if (payload.length > LARGEST_ON_LOOP) soon(payload, send);
    else send(null, now(payload));
  });
}

function isText(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload);
}

/** A route whose Vary names the coding has chosen it already. */
function mayCompress(request: FastifyRequest, reply: FastifyReply): boolean {
  const vary = reply.getHeader('vary');
  if (vary !== undefined && /\baccept-encoding\b/i.test(String(vary))) return false;
  if (!COMPRESSIBLE.test(String(reply.getHeader('content-type')))) return false;
  // Read last: Fastify makes the object at each reading.
  return !request.routeOptions.schema?.hasSecrets;
}

/** RFC 9110 §12.5.5: a cache must not answer a caller with a coding that it cannot read. */
function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
}
