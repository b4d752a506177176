import type { Meter } from '@opentelemetry/api';

export interface ClockMetrics {
  /** Read at each collection; NaN: not compared yet. */
  observeClock(readOffsetSeconds: () => number): void;
}

export function measureClock(meter: Meter): ClockMetrics {
  const offset = meter.createObservableGauge('clock_offset_seconds', {
    description: 'How far this host’s clock is ahead of the database’s, as last compared.',
  });
  return {
    observeClock: (read) => offset.addCallback((result) => result.observe(read())),
  };
}
