import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';

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
    onFirstBytes(request.raw, (isEmpty) => {
      if (isEmpty) forgetBody(request);
      done();
    });
  });
}

function mayBeEmpty({ method, headers, routeOptions }: FastifyRequest): boolean {
  // Fastify reads no body of these methods.
  if (method === 'GET' || method === 'HEAD') return false;
  const isChunked = headers['transfer-encoding'] !== undefined;
  const length = headers['content-length'] ?? '0';
  if (!isChunked && (length !== '0' || headers['content-type'] === undefined)) return false;
  return isDocumented(routeOptions.schema) && !needsBody(routeOptions.schema);
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

/** Calls back once a body has a byte or has ended; also when its connection has. */
function onFirstBytes(raw: IncomingMessage, done: (isEmpty: boolean) => void): void {
  if (raw.complete || raw.readableLength > 0) {
    done(raw.readableLength === 0);
    return;
  }
  const settle = () => {
    raw.off('readable', settle).off('close', settle);
    done(raw.readableLength === 0);
  };
  raw.on('readable', settle).on('close', settle);
}
