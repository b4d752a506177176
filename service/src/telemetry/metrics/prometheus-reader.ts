import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { type MetricData, MetricReader } from '@opentelemetry/sdk-metrics';
import { CONSTANT_LABELS } from '#telemetry/deployment.ts';

/** The content type of the result of `render`. */
export const PROMETHEUS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A metric that is not counted by the SDK. */
export interface CollectedMetric {
  collect(): MetricData;
}

/** Collects on request, and writes Prometheus text. The exporter's own HTTP server is not used. */
export class PrometheusReader extends MetricReader {
  readonly #serializer = new PrometheusSerializer(undefined, false, CONSTANT_LABELS, true, true);
  readonly #own: CollectedMetric[] = [];
  #rendering: Promise<string> | undefined;

  /** Adds a metric to the text, behind those of the SDK. */
  add<Metric extends CollectedMetric>(metric: Metric): Metric {
    this.#own.push(metric);
    return metric;
  }

  /** All metrics as Prometheus text; overlapping scrapes share one collection. */
  render(): Promise<string> {
    this.#rendering ??= this.#collectText().finally(() => {
      this.#rendering = undefined;
    });
    return this.#rendering;
  }

  async #collectText(): Promise<string> {
    const { resourceMetrics } = await this.collect();
    const { resource, scopeMetrics } = resourceMetrics;
    const metrics = this.#own
      .map((metric) => metric.collect())
      // The SDK leaves out a metric without values, too.
      .filter(({ dataPoints }) => dataPoints.length > 0);
    const own = { scope: { name: 'payment-requests' }, metrics };
    const all = { resource, scopeMetrics: [...scopeMetrics, own] };
    return `${this.#serializer.serialize(all).trimEnd()}\n`;
  }

  protected async onForceFlush(): Promise<void> {}

  protected async onShutdown(): Promise<void> {}
}
