import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { type Deployment, observeBuild, resourceOf } from '#telemetry/deployment.ts';
import { observeProcess } from '#telemetry/metrics/process-metrics.ts';
import { PrometheusReader } from '#telemetry/metrics/prometheus-reader.ts';

export interface ProcessCounts {
  /** What `--processes` asks for. */
  readonly wanted: number;
  /** How many have answered this very scrape. */
  readonly answering: number;
  /** How often a process that ended was replaced, since the parent's start. */
  readonly restarts: number;
}

export interface ParentMetrics {
  /** Prometheus text of the parent itself. */
  render(counts: ProcessCounts): Promise<string>;
}

/** Opens the metrics of the parent: its own use of the machine, and how its processes are. */
export function createParentMetrics(deployment: Deployment): ParentMetrics {
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
    render(counts) {
      latest = counts;
      return reader.render();
    },
  };
}
