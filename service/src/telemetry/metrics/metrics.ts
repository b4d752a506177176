import type { Meter } from '@opentelemetry/api';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { type Deployment, observeBuild, resourceOf } from '#telemetry/deployment.ts';
import { type BankMetrics, measureBank } from './bank-metrics.ts';
import { boundLabel } from './bounded-labels.ts';
import { type ClockMetrics, measureClock } from './clock-metrics.ts';
import { type DatabaseGaugeMetrics, measureDatabaseGauges } from './database-gauges.ts';
import { type DatabaseMetrics, measureDatabase } from './database-metrics.ts';
import { type LoadMetrics, measureLoad } from './load-metrics.ts';
import { type LoopMetrics, measureLoops } from './loop-health.ts';
import { measureNetwork, type NetworkMetrics } from './network-metrics.ts';
import { observeProcess } from './process-metrics.ts';
import { PrometheusReader } from './prometheus-reader.ts';
import { measureRefunds, type RefundMetrics } from './refund-metrics.ts';
import { measureReplica, type ReplicaMetrics } from './replica-metrics.ts';
import { measureSignIns, type SignInMetrics } from './sign-in-metrics.ts';
import { measureTraces, type TraceMetrics } from './trace-metrics.ts';
import { measureWebhooks, type WebhookMetrics } from './webhook-metrics.ts';

export interface HttpRequestMeasured {
  readonly method: string;
  /** The route's pattern, never the requested address: it holds identifiers and short codes. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

export interface DeliveryAttemptMeasured {
  readonly outcome: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly durationMs: number;
  /**
   * The time from the event's commit to the start of its first attempt; null for later attempts.
   */
  readonly lagMs: number | null;
}

export interface PoolUse {
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

export interface Metrics
  extends DatabaseMetrics,
    DatabaseGaugeMetrics,
    LoopMetrics,
    ClockMetrics,
    ReplicaMetrics,
    NetworkMetrics,
    RefundMetrics,
    BankMetrics,
    SignInMetrics,
    TraceMetrics,
    WebhookMetrics,
    LoadMetrics {
  httpRequest(request: HttpRequestMeasured): void;
  /** `from` is null at creation. */
  paymentRequestMoved(move: { readonly from: string | null; readonly to: string }): void;
  deliveryAttempt(attempt: DeliveryAttemptMeasured): void;
  /** A sender did not return in time, and its deliveries may be claimed again. */
  leaseExpired(count: number): void;
  /** A run of a background loop threw an error. */
  loopFailed(loop: string): void;
  /** A sandbox outcome happened this long after its due time. */
  simulationLate(delayMs: number): void;
  observePool(read: () => PoolUse): void;
  /** All metrics as Prometheus text. */
  render(): Promise<string>;
}

/**
 * HTTP: from a cached read (1 ms) over a creation with its commit (5–50 ms) to the longest call, a
 * read that waits 30 s.
 */
const REQUEST_BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
/** Deliveries: from a nearby listener (10 ms) to the exchange's deadline of 15 s. */
const DELIVERY_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
/** Lag: around its two promises, 100 ms for half of all events and 1 s for 99 %, and beyond. */
const LAG_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300];
/** Simulated outcomes: within a second of their due time; minutes after an outage. */
const LATE_BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 5, 60, 600];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Several times the number of values in the code today. */
const MOST_ROUTES = 200;
const MOST_OUTCOMES = 40;
const MOST_LOOPS = 20;
/** The schedule has 11 attempts; attempts beyond 15 share one label. */
const MOST_ATTEMPTS = 15;
const MOST_STATUSES = 20;
/** Series of one metric: 200 routes × a few methods and statuses; further ones share one series. */
const MOST_SERIES = 2_000;

/** Opens the metrics of one process. There is no global state: two instances are independent. */
export function createMetrics(deployment: Deployment): Metrics {
  const reader = new PrometheusReader({ cardinalitySelector: () => MOST_SERIES });
  const resource = resourceOf(deployment);
  const meter = new MeterProvider({ resource, readers: [reader] }).getMeter('payment-requests');
  observeBuild(meter, deployment);
  observeProcess(meter);
  return {
    httpRequest: measureHttpRequests(meter),
    deliveryAttempt: measureDeliveryAttempts(meter),
    ...countMoves(meter),
    ...countFaults(meter),
    ...measureDatabase(meter),
    ...measureDatabaseGauges(meter),
    ...measureNetwork(meter),
    ...measureRefunds(meter),
    ...measureBank(meter),
    ...measureSignIns(meter),
    ...measureTraces(meter),
    ...measureWebhooks(meter),
    ...measureLoad(meter),
    ...measureLoops(meter),
    ...measureClock(meter),
    ...measureReplica(meter),
    ...observeState(meter),
    render: () => reader.render(),
  };
}

function measureHttpRequests(meter: Meter): Metrics['httpRequest'] {
  const durations = meter.createHistogram('http_request_duration_seconds', {
    description: 'How long requests took, by method, route pattern and status.',
    advice: { explicitBucketBoundaries: REQUEST_BUCKETS_SECONDS },
  });
  const boundRoute = boundLabel(MOST_ROUTES);
  return ({ method, route, status, durationMs }) =>
    durations.record(durationMs / 1e3, {
      method: METHODS.has(method) ? method : 'other',
      route: boundRoute(route),
      status: String(status),
    });
}

function measureDeliveryAttempts(meter: Meter): Metrics['deliveryAttempt'] {
  const attempts = meter.createCounter('webhook_delivery_attempts_total', {
    description: 'Webhook delivery attempts, by outcome and number of the attempt.',
  });
  const durations = meter.createHistogram('webhook_delivery_duration_seconds', {
    description: 'How long webhook delivery attempts took, by outcome.',
    advice: { explicitBucketBoundaries: DELIVERY_BUCKETS_SECONDS },
  });
  const lags = meter.createHistogram('webhook_delivery_lag_seconds', {
    description: 'The time from the commit of an event to the start of its first attempt.',
    advice: { explicitBucketBoundaries: LAG_BUCKETS_SECONDS },
  });
  const boundOutcome = boundLabel(MOST_OUTCOMES);
  return ({ outcome: anyOutcome, attempt, durationMs, lagMs }) => {
    const outcome = boundOutcome(anyOutcome);
    const number = attempt <= MOST_ATTEMPTS ? String(attempt) : 'other';
    attempts.add(1, { outcome, attempt: number });
    durations.record(durationMs / 1e3, { outcome });
    if (lagMs !== null) lags.record(Math.max(0, lagMs) / 1e3);
  };
}

function countMoves(meter: Meter): Pick<Metrics, 'paymentRequestMoved' | 'simulationLate'> {
  const moves = meter.createCounter('payment_request_moves_total', {
    description: 'Status changes of payment requests; from "none" at creation.',
  });
  const late = meter.createHistogram('sandbox_step_late_seconds', {
    description: 'How long after its due time a simulated outcome happened.',
    advice: { explicitBucketBoundaries: LATE_BUCKETS_SECONDS },
  });
  const boundStatus = boundLabel(MOST_STATUSES);
  return {
    paymentRequestMoved: ({ from, to }) =>
      moves.add(1, { from: boundStatus(from ?? 'none'), to: boundStatus(to) }),
    simulationLate: (delayMs) => late.record(Math.max(0, delayMs) / 1e3),
  };
}

function countFaults(meter: Meter): Pick<Metrics, 'leaseExpired' | 'loopFailed'> {
  const leases = meter.createCounter('webhook_leases_expired_total', {
    description: 'Deliveries whose sender did not come back before its lease ended.',
  });
  // Start at 0, so that Prometheus sees the first case as an increase.
  leases.add(0);
  const failures = meter.createCounter('background_loop_failures_total', {
    description: 'Runs of a background loop that threw, by loop.',
  });
  const boundLoop = boundLabel(MOST_LOOPS);
  return {
    leaseExpired: (count) => leases.add(count),
    loopFailed: (loop) => failures.add(1, { loop: boundLoop(loop) }),
  };
}

function observeState(meter: Meter): Pick<Metrics, 'observePool'> {
  const connections = meter.createObservableGauge('database_pool_connections', {
    description: 'Connections of the database pool, by state.',
  });
  const waiting = meter.createObservableGauge('database_pool_waiting', {
    description: 'Callers that wait for a connection of the database pool.',
  });
  return {
    observePool: (read) =>
      meter.addBatchObservableCallback(
        (result) => {
          const { open, idle, waiting: callers } = read();
          result.observe(connections, idle, { state: 'idle' });
          result.observe(connections, open - idle, { state: 'busy' });
          result.observe(waiting, callers);
        },
        [connections, waiting],
      ),
  };
}
