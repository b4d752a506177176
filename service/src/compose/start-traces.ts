import type { Config } from '#config.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import { startTracing, type Tracing } from '#telemetry/tracing/tracing.ts';
import { SERVICE_VERSION } from '#version.ts';

/** Starts the export of traces where the configuration names a collector; null: it names none. */
export function startTraces(config: Config, metrics: Metrics): Promise<Tracing | null> {
  const { environment } = config;
  const deployment = { environment, version: SERVICE_VERSION };
  return startTracing({ url: tracesUrl(config), deployment, metrics });
}

/** By the rules of OpenTelemetry: the base address gets the signal's path. */
function tracesUrl({
  otelExporterOtlpEndpoint: base,
  otelExporterOtlpTracesEndpoint: whole,
}: Config): string | null {
  if (whole !== null) return whole;
  return base === null ? null : `${base.replace(/\/+$/, '')}/v1/traces`;
}
