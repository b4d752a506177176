import type { Meter } from '@opentelemetry/api';

export type TraceMetrics = ReturnType<typeof measureTraces>;

export function measureTraces(meter: Meter) {
  const spans = meter.createCounter('trace_spans_exported_total', {
    description: 'Spans sent by OTLP, and spans that the collector did not take; by outcome.',
  });
  return {
    /** Spans were exported, or dropped. */
    spansExported: (count: number, outcome: 'exported' | 'failed') => spans.add(count, { outcome }),
  };
}
