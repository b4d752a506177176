import type { Meter } from '@opentelemetry/api';

export interface TraceMetrics {
  /** Spans were exported, or dropped. */
  spansExported(count: number, outcome: 'exported' | 'failed'): void;
}

export function measureTraces(meter: Meter): TraceMetrics {
  const spans = meter.createCounter('trace_spans_exported_total', {
    description: 'Spans sent by OTLP, and spans that the collector did not take; by outcome.',
  });
  return { spansExported: (count, outcome) => spans.add(count, { outcome }) };
}
