import type { Meter } from '@opentelemetry/api';

export function measureReplica(meter: Meter) {
  const lag = meter.createObservableGauge('database_replica_lag_seconds', {
    description: 'How far the replica is behind at most; +Inf while it cannot be compared.',
  });
  return {
    /** Read at each collection; Infinity: not known. */
    observeReplica: (read: () => number) => lag.addCallback((result) => result.observe(read())),
  };
}
