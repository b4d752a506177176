import type { FastifyInstance } from 'fastify';
import { runInCall } from '#lib/call-context.ts';
import { formatTraceparent, parseTraceparent } from '#lib/traceparent.ts';

/**
 * Runs every later hook and the handler of a request as one call, which carries the request's id
 * and the caller's W3C trace. A header that breaks the rules of W3C is ignored.
 */
export function registerCallContext(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = parseTraceparent(request.headers.traceparent);
    const traceparent = parent && formatTraceparent(parent);
    runInCall({ requestId: request.id, traceparent }, done);
  });
}
