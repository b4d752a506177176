import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#lib/clock.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

export interface RequestLogDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** What other parts leave on a request for its line; each may be missing. */
interface Traces {
  readonly merchant?: { readonly id: string } | null;
  readonly problemCode?: string | null;
  /** A fault of ours that was answered as a problem. */
  readonly fault?: unknown;
}

/** The route of a request that met none. */
const NO_ROUTE = 'none';
/** The method of bytes that never became a request; counted as an unusual one. */
const NO_METHOD = 'none';
/** The usual word for a caller that went away before there was an answer. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Writes exactly one wide line per request, and counts it: when its answer is out, or when the
 * caller went away before that. Register it before all routes and other hooks.
 */
export function registerRequestLog(app: FastifyInstance, deps: RequestLogDeps): void {
  app.addHook('onRequest', (request, reply, done) => {
    const startedMs = deps.clock.steadyMs();
    const bytesBefore = request.socket.bytesWritten;
    let isWritten = false;
    const write = (aborted: boolean) => {
      if (isWritten) return;
      isWritten = true;
      const durationMs = round(deps.clock.steadyMs() - startedMs);
      writeLine(deps, request, reply, { durationMs, bytesBefore, aborted });
    };
    // A caller that goes away closes the answer without finishing it, and Fastify's own hook for
    // the end of an answer is then not called.
    reply.raw.once('finish', () => write(false));
    reply.raw.once('close', () => write(true));
    done();
  });
}

/** The line of what the HTTP layer refused before it became a request. */
export function logRefusal(
  { log, metrics }: RequestLogDeps,
  { code, status }: { readonly code: string; readonly status: number },
): void {
  metrics.httpRequest({ method: NO_METHOD, route: NO_ROUTE, status, durationMs: 0 });
  log.info({ route: NO_ROUTE, status, problemCode: code }, 'request');
}

interface Measured {
  readonly durationMs: number;
  /** What the connection had written before this request. */
  readonly bytesBefore: number;
  readonly aborted: boolean;
}

function writeLine(
  { log, metrics }: RequestLogDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { durationMs, bytesBefore, aborted }: Measured,
): void {
  const { merchant, problemCode, fault } = request as Traces;
  const { method } = request;
  // Never the address asked for: it holds short codes.
  const route = request.routeOptions.url ?? NO_ROUTE;
  const status = reply.raw.headersSent ? reply.raw.statusCode : CLIENT_CLOSED_REQUEST;
  const fields = {
    requestId: request.id,
    method,
    route,
    status,
    durationMs,
    merchantId: merchant?.id,
    problemCode: problemCode ?? undefined,
    requestBytes: lengthOf(request.headers['content-length']),
    responseBytes:
      lengthOf(reply.getHeader('content-length')) ??
      Math.max(0, (request.socket.bytesWritten ?? 0) - (bytesBefore ?? 0)),
    aborted: aborted || undefined,
    replayed: reply.hasHeader('idempotency-replayed') || undefined,
    err: fault ?? undefined,
  };
  metrics.httpRequest({ method, route, status, durationMs });
  if (status >= 500) log.error(fields, 'request');
  else if (request.routeOptions.logLevel === 'debug') log.debug(fields, 'request');
  else log.info(fields, 'request');
}

function lengthOf(header: number | string | string[] | undefined): number | undefined {
  const length = Number(header);
  return header === undefined || !Number.isSafeInteger(length) ? undefined : length;
}

/** Tenths of a millisecond: what is below is noise. */
function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
