import type { Meter } from '@opentelemetry/api';

export interface ReplicaMetrics {
  /** Read at each collection; Infinity: not known. */
  observeReplica(readLagSeconds: () => number): void;
}

export function measureReplica(meter: Meter): ReplicaMetrics {
  const lag = meter.createObservableGauge('database_replica_lag_seconds', {
    description: 'How far the replica is behind at most; +Inf while it cannot be compared.',
  });
  return {
    observeReplica: (read) => lag.addCallback((result) => result.observe(read())),
  };
}
