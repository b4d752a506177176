import type { Meter } from '@opentelemetry/api';

/** What an operator is told of; each also has one log line with the identifiers. */
export const OPERATOR_NOTICES = [
  /** Ten failures in a row: it is only probed from now on. */
  'ENDPOINT_FAILING',
  /** It answered 410, or failed for five days: what it is owed is held. */
  'ENDPOINT_PAUSED',
  /** It failed and answers again. */
  'ENDPOINT_WELL',
  /** All attempts of one delivery were used up. */
  'DELIVERY_EXHAUSTED',
  /** A URL without an endpoint failed for five days, or an event was kept for its time. */
  'DELIVERIES_GIVEN_UP',
] as const;
export type OperatorNotice = (typeof OPERATOR_NOTICES)[number];

export interface WebhookMetrics {
  operatorNotice(kind: OperatorNotice): void;
}

export function measureWebhooks(meter: Meter): WebhookMetrics {
  const notices = meter.createCounter('operator_notices_total', {
    description: 'What an operator should know of endpoints and deliveries, by kind.',
  });
  // From 0 on, so that the first one is an increase.
  for (const kind of OPERATOR_NOTICES) notices.add(0, { kind });
  return { operatorNotice: (kind) => notices.add(1, { kind }) };
}
