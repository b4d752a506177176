import type { Meter } from '@opentelemetry/api';

/** The end of an uncaught error: one connection was ended, or the process ends and is replaced. */
export type UncaughtOutcome = 'connection_ended' | 'process_ended';

/** The counts of this process, as its processor time is. */
const counts: Record<UncaughtOutcome, number> = { connection_ended: 0, process_ended: 0 };

export function countUncaughtError(outcome: UncaughtOutcome): void {
  counts[outcome] += 1;
}

export function observeUncaughtErrors(meter: Meter): void {
  meter
    .createObservableCounter('process_uncaught_errors_total', {
      description: 'Errors that no code caught, by what ended: one connection, or the process.',
    })
    .addCallback((result) => {
      // Start at 0, so that Prometheus sees the first error as an increase.
      for (const [outcome, count] of Object.entries(counts)) result.observe(count, { outcome });
    });
}
