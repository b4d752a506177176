import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '#http/overload/address-limit.ts';
import type { Clock } from '#lib/clock.ts';
import { isId } from '#lib/new-id.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import type { Log } from './log.ts';
import { type PlainCall, requestLine } from './request-line.ts';

/** An answered call, for readiness. */
export interface AnsweredCall {
  readonly method: string;
  readonly status: number;
  /** The fault of the refused call; undefined or null without a fault. */
  readonly fault: unknown;
}

export interface RequestLogDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /**
   * For the operators' listener: its answers do not count as calls, and a probe with the answer 503
   * is no error.
   */
  readonly isForOperators?: true;
  /** Readiness counts the calls that the database refused. */
  readonly answers?: { answered(call: AnsweredCall): void };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The payment request of the call, for its log line; null: none is known. */
    paymentRequestId: string | null;
  }
}

/** Values that other parts set on a request for its log line; each may be absent. */
interface Traces {
  readonly merchant?: { readonly id: string } | null;
  /** The subject of the call; from the path, or set by its route. */
  readonly paymentRequestId?: string | null;
  /** The claimed identity of a merchant's call. */
  readonly signIn?: {
    readonly call: 'token' | 'api';
    readonly username: string | null;
    readonly merchantId: string | null;
  } | null;
  /** A person's call of the console; the audit log names the person of a session. */
  readonly person?: { readonly sessionId: string | null } | null;
  readonly problemCode?: string | null;
  /** A fault of the service that was answered as a problem. */
  readonly fault?: unknown;
}

/** The route of a request that matched none. */
const NO_ROUTE = 'none';
/** The method of bytes that never became a request; counted as an unusual method. */
const NO_METHOD = 'none';
/** Unauthorized, forbidden, too many: the statuses of refused sign-ins. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);
/** The console answers 404 for merchants that are not the person's. */
const STATUSES_REFUSING_PEOPLE: ReadonlySet<number> = new Set([403, 404, 429]);
/** The usual status of a caller that left before the answer. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Writes exactly one wide line per request, and counts the request: when its answer is sent, or
 * when the caller left before. Register it before all routes and other hooks.
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
    // A caller that leaves closes the answer before its end. Fastify's own hook for the end of an
    // answer is then not called. Not `once`: its wrapper costs more than a second call of `write`.
    reply.raw.on('finish', () => write(false));
    reply.raw.on('close', () => write(true));
    done();
  });
}

/** The log line of a refusal that came before a request existed. */
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
  /** The bytes that the connection had written before this request. */
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
  const { method, routeOptions } = request;
  // Never the requested address: it holds short codes.
  const route = routeOptions.url ?? request.knownRoute?.url ?? NO_ROUTE;
  const status = reply.raw.headersSent ? reply.raw.statusCode : CLIENT_CLOSED_REQUEST;
  const call: PlainCall = {
    requestId: request.id,
    method,
    route,
    status,
    durationMs,
    merchantId: merchant?.id,
    paymentRequestId: paymentRequestId && isId(paymentRequestId) ? paymentRequestId : undefined,
    requestBytes: lengthOf(request.headers['content-length']),
    responseBytes:
      lengthOf(reply.getHeader('content-length')) ??
      Math.max(0, (request.socket.bytesWritten ?? 0) - (bytesBefore ?? 0)),
    replayed: reply.hasHeader('idempotency-replayed') || undefined,
  };
  deps.answers?.answered({ method, status, fault });
  if (!isForOperators) metrics.httpRequest({ method, route, status, durationMs });
  const level = levelOf(routeOptions.logLevel, status, isForOperators === true);
  const exceptions = {
    ...refusedSignIn(deps, request, status),
    ...personOf(request, status),
    ...(problemCode && { problemCode }),
    ...(aborted && { aborted }),
    ...(fault != null && { err: fault }),
  };
  const isPlain = level === 'info' && Object.keys(exceptions).length === 0;
  const members = isPlain ? requestLine(call) : null;
  if (members === null) log[level]({ ...call, ...exceptions }, 'request');
  else log.writeInfo(members, 'request');
}

function levelOf(
  ofRoute: string | undefined,
  status: number,
  isForOperators: boolean,
): 'error' | 'debug' | 'info' {
  const isProbe = isForOperators && status === 503;
  if (status >= 500 && !isProbe) return 'error';
  return ofRoute === 'debug' ? 'debug' : 'info';
}

/**
 * The refused identity and the source of the call, so that an operator can recognise a guesser and
 * a leaked key (OWASP ASVS V16.3). An IPv6 address counts with its network, which one household
 * shares.
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

/** The session of a person, and the source of a refused call (OWASP ASVS V16.3). */
function personOf(
  request: FastifyRequest,
  status: number,
): Readonly<Record<string, string | undefined>> {
  const { person } = request as Traces;
  if (!person) return {};
  const isRefused = STATUSES_REFUSING_PEOPLE.has(status);
  return {
    sessionId: person.sessionId ?? undefined,
    ...(isRefused && { sourceAddress: networkOf(request.ip) }),
  };
}

function lengthOf(header: number | string | string[] | undefined): number | undefined {
  const length = Number(header);
  return header === undefined || !Number.isSafeInteger(length) ? undefined : length;
}

/** Tenths of a millisecond: smaller differences are noise. */
function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
