import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import { Problem } from '#lib/problem.ts';

/**
 * Makes a body of length 0 count as no body in calls that need none, whatever its media type says:
 * many clients send `Content-Type` with every call. A form is read by its own rules.
 *
 * Register it after what bounds the time of a body: it waits for the first byte of a chunked one.
 */
export function forgetEmptyBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (!mayBeEmpty(request)) return done();
    if (request.headers['transfer-encoding'] === undefined) {
      forgetBody(request);
      return done();
    }
    onFirstBytes(request.raw, (found) => {
      // Without its last chunk it is no body of length 0: the caller may have meant to send more.
      if (found === 'BROKEN') return done(new Problem('REQUEST_TIMEOUT'));
      if (found === 'END') forgetBody(request);
      done();
    });
  });
}

function mayBeEmpty(request: FastifyRequest): boolean {
  const { method, headers } = request;
  // Fastify reads no body of these methods.
  if (method === 'GET' || method === 'HEAD') return false;
  const isChunked = headers['transfer-encoding'] !== undefined;
  const length = headers['content-length'] ?? '0';
  if (!isChunked && (length !== '0' || headers['content-type'] === undefined)) return false;
  // Read last: Fastify makes the object at each reading.
  const { schema } = request.routeOptions;
  return isDocumented(schema) && !needsBody(schema);
}

function isDocumented(schema: FastifySchema | undefined): schema is FastifySchema {
  return schema?.operationId !== undefined;
}

function needsBody({ body, bodyReadByHand, isBodyOptional }: FastifySchema): boolean {
  return (body !== undefined || bodyReadByHand !== undefined) && isBodyOptional !== true;
}

/** Without these headers Fastify looks for no parser. */
function forgetBody(request: FastifyRequest): void {
  request.headers = { 'content-type': undefined, 'transfer-encoding': undefined };
}

/** The first thing that came of a body; BROKEN: its connection has ended. */
type Found = 'BYTES' | 'END' | 'BROKEN';

function onFirstBytes(raw: IncomingMessage, done: (found: Found) => void): void {
  const look = (): Found => {
    if (raw.readableLength > 0) return 'BYTES';
    return raw.complete ? 'END' : 'BROKEN';
  };
  if (raw.complete || raw.readableLength > 0) {
    done(look());
    return;
  }
  const settle = () => {
    raw.off('readable', settle).off('close', settle);
    done(look());
  };
  raw.on('readable', settle).on('close', settle);
}
