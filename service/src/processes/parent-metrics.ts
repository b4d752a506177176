import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { type Deployment, observeBuild, resourceOf } from '#telemetry/deployment.ts';
import { observeProcess } from '#telemetry/metrics/process-metrics.ts';
import { PrometheusReader } from '#telemetry/metrics/prometheus-reader.ts';

export interface ProcessCounts {
  /** The number of `--processes`. */
  readonly wanted: number;
  /** The number of processes that answered this scrape. */
  readonly answering: number;
  /** The number of replaced processes since the parent's start. */
  readonly restarts: number;
}

export type ParentMetrics = ReturnType<typeof createParentMetrics>;

/** Opens the metrics of the parent: its own use of the machine, and the state of its processes. */
export function createParentMetrics(deployment: Deployment) {
  const reader = new PrometheusReader();
  const resource = resourceOf(deployment);
  const meter = new MeterProvider({ resource, readers: [reader] }).getMeter('payment-requests');
  observeBuild(meter, deployment);
  observeProcess(meter);
  let latest: ProcessCounts = { wanted: 0, answering: 0, restarts: 0 };
  meter
    .createObservableGauge('service_processes_wanted', {
      description: 'Processes that the service was told to run.',
    })
    .addCallback((result) => result.observe(latest.wanted));
  meter
    .createObservableGauge('service_processes_answering', {
      description: 'Processes of the service that answered this scrape.',
    })
    .addCallback((result) => result.observe(latest.answering));
  meter
    .createObservableCounter('service_process_restarts_total', {
      description: 'Processes of the service that ended by themselves and were started again.',
    })
    .addCallback((result) => result.observe(latest.restarts));
  return {
    /** Prometheus text of the parent itself. */
    render(counts: ProcessCounts) {
      latest = counts;
      return reader.render();
    },
  };
}
