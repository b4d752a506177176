import type { Meter } from '@opentelemetry/api';
import { boundLabel } from './bounded-labels.ts';
import type { PrometheusReader } from './prometheus-reader.ts';
import { type Series, SeriesHistogram } from './series-histogram.ts';

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

export interface DeliveryAttemptMeasured {
  readonly eventType: string;
  readonly outcome: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly durationMs: number;
  /**
   * The time from the event's commit to the start of its first attempt; null for later attempts.
   */
  readonly lagMs: number | null;
}

/** Deliveries: from a nearby listener (10 ms) to the exchange's deadline of 15 s. */
const DURATION_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
/** Lag: around its two promises, 100 ms for half of all events and 1 s for 99 %, and beyond. */
const LAG_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300];

/** Several times the number of values in the code today. */
const MOST_OUTCOMES = 40;
const MOST_EVENT_TYPES = 40;
/** The schedule has 11 attempts; attempts beyond 15 share one label. */
const MOST_ATTEMPTS = 15;

/** The measurements of an outcome. */
interface Outcome {
  readonly durations: Series;
  /** Counts by number of the attempt; 0: those beyond the bound. */
  readonly attempts: number[];
}

/** @param mostSeries the bound of series of a metric */
export function measureWebhooks(meter: Meter, reader: PrometheusReader, mostSeries: number) {
  const notices = meter.createCounter('operator_notices_total', {
    description: 'Notices about endpoints, deliveries and e-mails to merchants, by kind.',
  });
  // Start at 0, so that Prometheus sees the first case as an increase.
  for (const kind of OPERATOR_NOTICES) notices.add(0, { kind });
  return {
    ...measureDeliveries(meter, reader, mostSeries),
    operatorNotice: (kind: OperatorNotice) => notices.add(1, { kind }),
  };
}

function measureDeliveries(meter: Meter, reader: PrometheusReader, mostSeries: number) {
  const histogram = (name: string, description: string, boundaries: readonly number[]) =>
    reader.add(new SeriesHistogram({ name, description, boundaries, mostSeries }));
  const durations = histogram(
    'webhook_delivery_duration_seconds',
    'How long webhook delivery attempts took, by outcome.',
    DURATION_BUCKETS_SECONDS,
  );
  const lags = histogram(
    'webhook_delivery_lag_seconds',
    'The time from the commit of an event to the start of its first attempt, by type of the event.',
    LAG_BUCKETS_SECONDS,
  );
  const outcomes = new Map<string, Outcome>();
  const boundOutcome = boundLabel(MOST_OUTCOMES);
  const lagOfTypes = new Map<string, Series>();
  const boundType = boundLabel(MOST_EVENT_TYPES);
  meter
    .createObservableCounter('webhook_delivery_attempts_total', {
      description: 'Webhook delivery attempts, by outcome and number of the attempt.',
    })
    .addCallback((result) => {
      for (const [outcome, { attempts }] of outcomes) {
        attempts.forEach((count, number) => {
          const attempt = number === 0 ? 'other' : String(number);
          if (count > 0) result.observe(count, { outcome, attempt });
        });
      }
    });

  function open(outcome: string): Outcome {
    const opened: Outcome = {
      durations: durations.open({ outcome }),
      attempts: Array.from({ length: MOST_ATTEMPTS + 1 }, () => 0),
    };
    outcomes.set(outcome, opened);
    return opened;
  }

  return {
    deliveryAttempt({
      eventType,
      outcome: anyOutcome,
      attempt,
      durationMs,
      lagMs,
    }: DeliveryAttemptMeasured) {
      const outcome = boundOutcome(anyOutcome);
      const known = outcomes.get(outcome) ?? open(outcome);
      const number = attempt <= MOST_ATTEMPTS ? attempt : 0;
      known.attempts[number] = (known.attempts[number] ?? 0) + 1;
      known.durations.record(durationMs / 1e3);
      if (lagMs === null) return;
      const event = boundType(eventType);
      const lag = lagOfTypes.get(event) ?? lags.open({ event });
      lagOfTypes.set(event, lag);
      lag.record(Math.max(0, lagMs) / 1e3);
    },
  };
}
