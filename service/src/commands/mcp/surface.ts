import type { Deployment } from '#commands/cli/with-deployment.ts';
import { memoizeAsync } from '#lib/memoize-async.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { ServiceParts } from './open-service.ts';

/** The data of one merchant, on which the tools of an assistant act. */
export interface Surface extends Deployment {
  readonly merchantId: string;
  readonly log: Log;
  /** Parts that only some tools need: a session that reads payments loads 1,500 modules less. */
  readonly service: () => Promise<ServiceParts>;
  close(): Promise<void>;
}

export function createSurface(deployment: Omit<Surface, 'service' | 'close'>): Surface {
  let opened: ServiceParts | undefined;
  const service = memoizeAsync(async () => {
    opened = await (await import('./open-service.ts')).openService(deployment);
    return opened;
  });
  return { ...deployment, service, close: async () => opened?.close() };
}
