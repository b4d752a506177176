import type { Meter } from '@opentelemetry/api';

export function measureClock(meter: Meter) {
  const offset = meter.createObservableGauge('clock_offset_seconds', {
    description: 'How far this host’s clock is ahead of the database’s, as last compared.',
  });
  return {
    /** Read at each collection; NaN: not compared yet. */
    observeClock: (read: () => number) => offset.addCallback((result) => result.observe(read())),
  };
}
