import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '#http/overload/address-limit.ts';
import type { Clock } from '#lib/clock.ts';
import { isId } from '#lib/new-id.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import type { Log } from './log.ts';

/** An answered call, for readiness. */
export interface AnsweredCall {
  readonly method: string;
  readonly status: number;
  /** The fault that the call was refused with; undefined or null without one. */
  readonly fault: unknown;
}

export interface RequestLogDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /**
   * Of the operators' listener: its answers are no calls that succeed or fail, and a probe that is
   * answered 503 is no error.
   */
  readonly isForOperators?: true;
  /** Readiness counts the calls that the database refused. */
  readonly answers?: { answered(call: AnsweredCall): void };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The payment request that the call is about, for its log line; null: none is known. */
    paymentRequestId: string | null;
  }
}

/** What other parts leave on a request for its line; each may be missing. */
interface Traces {
  readonly merchant?: { readonly id: string } | null;
  /** What the call is about; in the path, or set by the route that learns it. */
  readonly paymentRequestId?: string | null;
  /** Who a merchant's call claimed to be. */
  readonly signIn?: {
    readonly call: 'token' | 'api';
    readonly username: string | null;
    readonly merchantId: string | null;
  } | null;
  readonly problemCode?: string | null;
  /** A fault of ours that was answered as a problem. */
  readonly fault?: unknown;
}

/** The route of a request that met none. */
const NO_ROUTE = 'none';
/** The method of bytes that never became a request; counted as an unusual one. */
const NO_METHOD = 'none';
/** Unauthorized, forbidden, too many: the answers to who is not let in. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);
/** The usual word for a caller that went away before there was an answer. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Writes exactly one wide line per request, and counts it: when its answer is out, or when the
 * caller went away before that. Register it before all routes and other hooks.
 */
export function registerRequestLog(app: FastifyInstance, deps: RequestLogDeps): void {
  app.decorateRequest('paymentRequestId', null);
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
  { log, metrics, isForOperators }: RequestLogDeps,
  { code, status }: { readonly code: string; readonly status: number },
): void {
  if (!isForOperators) {
    metrics.httpRequest({ method: NO_METHOD, route: NO_ROUTE, status, durationMs: 0 });
  }
  log.info({ route: NO_ROUTE, status, problemCode: code }, 'request');
}

interface Measured {
  readonly durationMs: number;
  /** What the connection had written before this request. */
  readonly bytesBefore: number;
  readonly aborted: boolean;
}

function writeLine(
  deps: RequestLogDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { durationMs, bytesBefore, aborted }: Measured,
): void {
  const { log, metrics, isForOperators } = deps;
  const { merchant, problemCode, fault, paymentRequestId } = request as Traces;
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
    paymentRequestId: paymentRequestId && isId(paymentRequestId) ? paymentRequestId : undefined,
    ...refusedSignIn(deps, request, status),
    problemCode: problemCode ?? undefined,
    requestBytes: lengthOf(request.headers['content-length']),
    responseBytes:
      lengthOf(reply.getHeader('content-length')) ??
      Math.max(0, (request.socket.bytesWritten ?? 0) - (bytesBefore ?? 0)),
    aborted: aborted || undefined,
    replayed: reply.hasHeader('idempotency-replayed') || undefined,
    err: fault ?? undefined,
  };
  deps.answers?.answered({ method, status, fault });
  if (!isForOperators) metrics.httpRequest({ method, route, status, durationMs });
  const isProbe = isForOperators && status === 503;
  if (status >= 500 && !isProbe) log.error(fields, 'request');
  else if (request.routeOptions.logLevel === 'debug') log.debug(fields, 'request');
  else log.info(fields, 'request');
}

/**
 * Who was not let in, and where the call came from, so that an operator can tell a guesser and a
 * leaked key (OWASP ASVS V16.3). An IPv6 address counts with its network, as one household has it.
 */
function refusedSignIn(
  { metrics }: RequestLogDeps,
  request: FastifyRequest,
  status: number,
): Readonly<Record<string, string | undefined>> {
  const { signIn, problemCode, merchant } = request as Traces;
  if (!signIn || !REFUSING_STATUSES.has(status)) return {};
  metrics.signInRefused({ call: signIn.call, reason: problemCode ?? 'INVALID_CLIENT' });
  return {
    sourceAddress: networkOf(request.ip),
    username: signIn.username ?? undefined,
    merchantId: merchant?.id ?? signIn.merchantId ?? undefined,
  };
}

function lengthOf(header: number | string | string[] | undefined): number | undefined {
  const length = Number(header);
  return header === undefined || !Number.isSafeInteger(length) ? undefined : length;
}

/** Tenths of a millisecond: what is below is noise. */
function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
