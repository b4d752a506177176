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
  /** A URL without an endpoint failed for five days. */
  'DELIVERIES_GIVEN_UP',
] as const;
export type OperatorNotice = (typeof OPERATOR_NOTICES)[number];

export interface WebhookMetrics {
  operatorNotice(kind: OperatorNotice): void;
  /** Asked at each collection, in seconds; when it throws or hangs, the gauge is NaN: unknown. */
  observeFeedLag(read: () => Promise<number>): void;
}

/** A scraper waits 10 s by default; a stuck database must not use that up. */
const READ_TIMEOUT_MS = 2_000;

export function measureWebhooks(meter: Meter): WebhookMetrics {
  const notices = meter.createCounter('operator_notices_total', {
    description: 'What an operator should know of endpoints and deliveries, by kind.',
  });
  // From 0 on, so that the first one is an increase.
  for (const kind of OPERATOR_NOTICES) notices.add(0, { kind });
  const lag = meter.createObservableGauge('webhook_feed_lag_seconds', {
    description: 'How long the oldest event waits that a running transaction keeps from the feed.',
  });
  return {
    operatorNotice: (kind) => notices.add(1, { kind }),
    observeFeedLag: (read) =>
      lag.addCallback(async (result) => result.observe(await readInTime(read))),
  };
}

async function readInTime(read: () => Promise<number>): Promise<number> {
  const late = AbortSignal.timeout(READ_TIMEOUT_MS);
  const deadline = new Promise<number>((resolve) => {
    late.addEventListener('abort', () => resolve(Number.NaN), { once: true });
  });
  return Promise.race([read().catch(() => Number.NaN), deadline]);
}
