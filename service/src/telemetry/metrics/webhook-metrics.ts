import type { Meter } from '@opentelemetry/api';

/** The notices for an operator; each also has one log line with the identifiers. */
export const OPERATOR_NOTICES = [
  /** Ten failures in a row: the endpoint is only probed from now on. */
  'ENDPOINT_FAILING',
  /** The endpoint answered 410, or failed for five days: its deliveries are held. */
  'ENDPOINT_PAUSED',
  /** The endpoint failed and answers again. */
  'ENDPOINT_WELL',
  /** No attempts of the delivery are left. */
  'DELIVERY_EXHAUSTED',
  /** A URL without an endpoint failed for five days, or the retention of an event ended. */
  'DELIVERIES_GIVEN_UP',
  /** A merchant got no e-mail about returned money, a failed refund or its account. */
  'MERCHANT_NOT_NOTIFIED',
] as const;
export type OperatorNotice = (typeof OPERATOR_NOTICES)[number];

export interface WebhookMetrics {
  operatorNotice(kind: OperatorNotice): void;
}

export function measureWebhooks(meter: Meter): WebhookMetrics {
  const notices = meter.createCounter('operator_notices_total', {
    description: 'Notices about endpoints, deliveries and e-mails to merchants, by kind.',
  });
  // Start at 0, so that Prometheus sees the first case as an increase.
  for (const kind of OPERATOR_NOTICES) notices.add(0, { kind });
  return { operatorNotice: (kind) => notices.add(1, { kind }) };
}
