import type { Meter } from '@opentelemetry/api';

export interface Load {
  /** Calls in progress; waiting calls and streams are not counted. */
  readonly inFlight: number;
  /** The present bound of calls in progress. */
  readonly permits: number;
}

export function measureLoad(meter: Meter) {
  // Counted by hand: with thousands of refusals a second, each must be cheap.
  const shed = { merchant: 0, person: 0 };
  meter
    .createObservableCounter('http_requests_shed_total', {
      description: 'Requests refused with 503 because there was too much to do, by kind of caller.',
    })
    .addCallback((result) => {
      for (const [caller, count] of Object.entries(shed)) result.observe(count, { caller });
    });
  const inFlight = meter.createObservableGauge('http_requests_in_flight', {
    description: 'Requests that are worked on; those that only wait and streams are not counted.',
  });
  const permits = meter.createObservableGauge('http_requests_in_flight_limit', {
    description: 'How many requests may be worked on at once; it shrinks while they take long.',
  });
  return {
    /** A call was refused because of overload. */
    callShed: (caller: 'merchant' | 'person') => {
      shed[caller] += 1;
    },
    observeLoad: (read: () => Load) =>
      meter.addBatchObservableCallback(
        (result) => {
          const load = read();
          result.observe(inFlight, load.inFlight);
          result.observe(permits, load.permits);
        },
        [inFlight, permits],
      ),
  };
}
