import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MetricReader } from '@opentelemetry/sdk-metrics';
import { CONSTANT_LABELS } from '#telemetry/deployment.ts';

/** The content type of the result of `render`. */
export const PROMETHEUS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Collects on request, and writes Prometheus text. The exporter's own HTTP server is not used. */
export class PrometheusReader extends MetricReader {
  readonly #serializer = new PrometheusSerializer(undefined, false, CONSTANT_LABELS, true, true);
  #rendering: Promise<string> | undefined;

  /** All metrics as Prometheus text; overlapping scrapes share one collection. */
  render(): Promise<string> {
    this.#rendering ??= this.#collectText().finally(() => {
      this.#rendering = undefined;
    });
    return this.#rendering;
  }

  async #collectText(): Promise<string> {
    const { resourceMetrics } = await this.collect();
    return `${this.#serializer.serialize(resourceMetrics).trimEnd()}\n`;
  }

  protected async onForceFlush(): Promise<void> {}

  protected async onShutdown(): Promise<void> {}
}
