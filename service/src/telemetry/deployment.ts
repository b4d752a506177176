import type { Meter } from '@opentelemetry/api';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import type { Environment } from '#lib/environment.ts';

/** The deployment of this process, and the version of the service. */
export interface Deployment {
  readonly environment: Environment;
  readonly version: string;
}

/** The label of every series: it distinguishes sandbox and production in one Prometheus. */
export const CONSTANT_LABELS = /^environment$/;

/** The deployment as OpenTelemetry's resource. */
export function resourceOf({ environment, version }: Deployment): Resource {
  return resourceFromAttributes({
    'service.name': 'payment-requests',
    'service.version': version,
    environment,
  });
}

/** Shows the running version, as a series of value 1. */
export function observeBuild(meter: Meter, { version }: Deployment): void {
  meter
    .createObservableGauge('service_build_info', {
      description: 'Always 1; the labels name the versions of the service and of Node.js.',
    })
    .addCallback((result) => result.observe(1, { version, node: process.versions.node }));
}
