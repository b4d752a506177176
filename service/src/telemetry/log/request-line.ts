import type { LogField } from './log-fields.ts';

/** The fields of an answered call without a fault, in the order of the line. */
export interface PlainCall {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly merchantId: string | undefined;
  readonly paymentRequestId: string | undefined;
  readonly requestBytes: number | undefined;
  readonly responseBytes: number | undefined;
  readonly replayed: true | undefined;
}

/** Needs no escape in JSON, and is shorter than the log's longest value. */
const PLAIN = /^[\w.-]{0,128}$/;
/** Several times the number of routes. */
const MOST_ROUTES = 500;

const routes = new Map<string, string>();

/**
 * The members of a call's line as JSON, behind a comma; null for a call with a text that is not
 * plain, which takes the log's usual way. That way copies and inspects every field.
 */
export function requestLine(call: PlainCall): string | null {
  const { requestId, method, status, durationMs, merchantId, paymentRequestId } = call;
  if (!PLAIN.test(requestId) || !PLAIN.test(method)) return null;
  if (merchantId !== undefined && !PLAIN.test(merchantId)) return null;
  if (paymentRequestId !== undefined && !PLAIN.test(paymentRequestId)) return null;
  const { requestBytes, responseBytes, replayed } = call;
  return (
    `,"requestId":"${requestId}","method":"${method}","route":${quotedRoute(call.route)}` +
    `,"status":${status},"durationMs":${durationMs}` +
    text('merchantId', merchantId) +
    text('paymentRequestId', paymentRequestId) +
    plain('requestBytes', requestBytes) +
    plain('responseBytes', responseBytes) +
    plain('replayed', replayed)
  );
}

function text(name: LogField, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":"${value}"`;
}

function plain(name: LogField, value: number | true | undefined): string {
  return value === undefined ? '' : `,"${name}":${value}`;
}

function quotedRoute(route: string): string {
  const known = routes.get(route);
  if (known !== undefined) return known;
  const quoted = JSON.stringify(route);
  if (routes.size < MOST_ROUTES) routes.set(route, quoted);
  return quoted;
}
