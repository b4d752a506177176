import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CallContext, runInCall } from '#lib/call-context.ts';
import { formatTraceparent, parseTraceparent } from '#lib/traceparent.ts';
import type { TracedSpan, Tracing } from './tracing.ts';

/**
 * Runs every later hook and the handler of a request as one call, which carries the request's id
 * and the caller's W3C trace. A header that breaks the rules of W3C is ignored. If traces are
 * exported, the call is a span.
 */
export function registerCallContext(app: FastifyInstance, tracing: Tracing | null): void {
  app.addHook('onRequest', (request, reply, done) => {
    const parent = parseTraceparent(request.headers.traceparent);
    const traceparent = parent && formatTraceparent(parent);
    const span = tracing?.start(request.method, 'server', traceparent);
    if (span) endWithAnswer(span, request, reply);
    const own = { requestId: request.id, connection: request.raw.socket };
    const call: CallContext = span
      ? { ...own, traceparent: span.traceparent, startSpan: span.child }
      : { ...own, traceparent };
    runInCall(call, done);
  });
}

/** The route's pattern, never the requested address: it holds short codes. */
function endWithAnswer(span: TracedSpan, request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('close', () => {
    const route = request.routeOptions.url ?? request.knownRoute?.url;
    const { merchant } = request as { readonly merchant?: { readonly id: string } };
    const status = reply.raw.statusCode;
    if (route) span.rename(`${request.method} ${route}`);
    span.set({
      'http.request.method': request.method,
      'http.response.status_code': status,
      'payreq.request_id': request.id,
      ...(route && { 'http.route': route }),
      ...(merchant && { 'payreq.merchant_id': merchant.id }),
      ...(request.paymentRequestId && { 'payreq.payment_request_id': request.paymentRequestId }),
    });
    span.end(status >= 500 ? new ServerFault() : undefined);
  });
}

class ServerFault extends Error {
  override readonly name = 'ServerFault';
}
