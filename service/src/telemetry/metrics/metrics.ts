import type { Meter } from '@opentelemetry/api';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { type Deployment, observeBuild, resourceOf } from '#telemetry/deployment.ts';
import { measureMessages } from '#telemetry/metrics/messages/message-metrics.ts';
import { measureBank } from './bank-metrics.ts';
import { boundLabel } from './bounded-labels.ts';
import { measureDatabaseGauges } from './database-gauges.ts';
import { measureDatabase } from './database-metrics.ts';
import { measureHttp } from './http-metrics.ts';
import { measureLoad } from './load-metrics.ts';
import { measureLoops } from './loop-health.ts';
import { measureNetwork } from './network-metrics.ts';
import { observeProcess } from './process-metrics.ts';
import { PrometheusReader } from './prometheus-reader.ts';
import { measureRefunds } from './refund-metrics.ts';
import { measureSignIns } from './sign-in-metrics.ts';
import { measureTraces } from './trace-metrics.ts';
import { measureWebhooks } from './webhook-metrics.ts';

export interface PoolUse {
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** The measurements of a process. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Simulated outcomes: within a second of their due time; minutes after an outage. */
const LATE_BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 5, 60, 600];

const MOST_LOOPS = 20;
const MOST_STATUSES = 20;
/** Series of one metric: 200 routes × a few methods and statuses; further ones share one series. */
const MOST_SERIES = 2_000;

/** Opens the metrics of one process. There is no global state: two instances are independent. */
export function createMetrics(deployment: Deployment) {
  const reader = new PrometheusReader({ cardinalitySelector: () => MOST_SERIES });
  const resource = resourceOf(deployment);
  const meter = new MeterProvider({ resource, readers: [reader] }).getMeter('payment-requests');
  observeBuild(meter, deployment);
  observeProcess(meter);
  return {
    ...measureHttp(reader, MOST_SERIES),
    ...countMoves(meter),
    ...countFaults(meter),
    ...measureDatabase(meter),
    ...measureDatabaseGauges(meter),
    ...measureNetwork(meter),
    ...measureRefunds(meter),
    ...measureBank(meter),
    ...measureSignIns(meter),
    ...measureTraces(meter),
    ...measureWebhooks(meter, reader, MOST_SERIES),
    ...measureMessages(meter),
    ...measureLoad(meter),
    ...measureLoops(meter),
    ...measureClock(meter),
    ...measureReplica(meter),
    ...observeState(meter),
    /** All metrics as Prometheus text. */
    render: () => reader.render(),
  };
}

function countMoves(meter: Meter) {
  // Counted by hand: the SDK's counter writes the attributes as JSON at each creation.
  const moves = new Map<string, Map<string, number>>();
  meter
    .createObservableCounter('payment_request_moves_total', {
      description: 'Status changes of payment requests; from "none" at creation.',
    })
    .addCallback((result) => {
      for (const [from, counts] of moves) {
        for (const [to, count] of counts) result.observe(count, { from, to });
      }
    });
  const late = meter.createHistogram('sandbox_step_late_seconds', {
    description: 'How long after its due time a simulated outcome happened.',
    advice: { explicitBucketBoundaries: LATE_BUCKETS_SECONDS },
  });
  const boundStatus = boundLabel(MOST_STATUSES);
  return {
    /** `from` is null at creation. */
    paymentRequestMoved({
      from: anyFrom,
      to: anyTo,
    }: {
      readonly from: string | null;
      readonly to: string;
    }) {
      const from = boundStatus(anyFrom ?? 'none');
      const to = boundStatus(anyTo);
      const counts = moves.get(from) ?? new Map<string, number>();
      moves.set(from, counts);
      counts.set(to, (counts.get(to) ?? 0) + 1);
    },
    /** A sandbox outcome happened this long after its due time. */
    simulationLate: (delayMs: number) => late.record(Math.max(0, delayMs) / 1e3),
  };
}

function countFaults(meter: Meter) {
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
    /** A sender did not return in time, and its deliveries may be claimed again. */
    leaseExpired: (count: number) => leases.add(count),
    /** A run of a background loop threw an error. */
    loopFailed: (loop: string) => failures.add(1, { loop: boundLoop(loop) }),
  };
}

function observeState(meter: Meter) {
  const connections = meter.createObservableGauge('database_pool_connections', {
    description: 'Connections of the database pool, by state.',
  });
  const waiting = meter.createObservableGauge('database_pool_waiting', {
    description: 'Callers that wait for a connection of the database pool.',
  });
  return {
    observePool: (read: () => PoolUse) =>
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

function measureClock(meter: Meter) {
  const offset = meter.createObservableGauge('clock_offset_seconds', {
    description: 'How far this host’s clock is ahead of the database’s, as last compared.',
  });
  return {
    /** Read at each collection; NaN: not compared yet. */
    observeClock: (read: () => number) => offset.addCallback((result) => result.observe(read())),
  };
}

function measureReplica(meter: Meter) {
  const lag = meter.createObservableGauge('database_replica_lag_seconds', {
    description: 'How far the replica is behind at most; +Inf while it cannot be compared.',
  });
  return {
    /** Read at each collection; Infinity: not known. */
    observeReplica: (read: () => number) => lag.addCallback((result) => result.observe(read())),
  };
}
