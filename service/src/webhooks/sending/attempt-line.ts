import type { LogField } from '#telemetry/log/log-fields.ts';
import type { AttemptResult } from '#webhooks/https/send-webhook.ts';
import type { ClaimedDelivery } from './lease-store.ts';

/** Needs no escape in JSON, and is shorter than the log's longest value. */
const PLAIN = /^[\w.:[\]-]{1,128}$/;

export interface PlainAttempt {
  readonly delivery: ClaimedDelivery;
  readonly result: AttemptResult;
  readonly host: string | undefined;
  readonly lagMs: number | null;
}

/**
 * Renders the members of the line of an attempt that succeeded as JSON, each behind a comma.
 *
 * @returns null for any other attempt, and for a text that is not plain: they take the log's usual
 *          way, which copies and inspects each field
 */
export function attemptLine({ delivery, result, host, lagMs }: PlainAttempt): string | null {
  const { id, eventId, paymentRequestId, merchantId, endpointId, eventType } = delivery;
  const { address, httpStatus } = result;
  const isOrdinary =
    result.outcome === 'SUCCEEDED' && result.retryAfterSeconds === null && !delivery.isProbe;
  if (!isOrdinary || result.errorCode) return null;
  for (const value of [id, eventId, paymentRequestId, merchantId, eventType]) {
    if (!PLAIN.test(value)) return null;
  }
  for (const value of [endpointId, host, address]) {
    if (value != null && !PLAIN.test(value)) return null;
  }
  return (
    `,"deliveryId":"${id}","eventId":"${eventId}","paymentRequestId":"${paymentRequestId}"` +
    `,"merchantId":"${merchantId}"${text('endpointId', endpointId)}` +
    `,"eventType":"${eventType}","sequence":${delivery.sequence}` +
    `${text('host', host)}${text('address', address)},"attempt":${delivery.attempts + 1}` +
    `,"outcome":"${result.outcome}"${number('httpStatus', httpStatus)}` +
    `,"durationMs":${Math.round(result.durationMs)}${number('lagMs', lagMs)}`
  );
}

function text(name: LogField, value: string | null | undefined): string {
  return value == null ? '' : `,"${name}":"${value}"`;
}

function number(name: LogField, value: number | null): string {
  return value === null ? '' : `,"${name}":${Math.round(value)}`;
}
