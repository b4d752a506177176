import type { Deployment } from '#commands/cli/with-deployment.ts';
import { memoizeAsync } from '#lib/memoize-async.ts';
import type { ServiceParts } from './open-service.ts';

/** What the tools of an assistant act on: the data of one merchant. */
export interface Surface extends Deployment {
  readonly merchantId: string;
  /** Parts that only some tools need: a session that reads payments loads 1,500 modules less. */
  readonly service: () => Promise<ServiceParts>;
  close(): Promise<void>;
}

export function createSurface(deployment: Deployment, merchantId: string): Surface {
  let opened: ServiceParts | undefined;
  const service = memoizeAsync(async () => {
    opened = await (await import('./open-service.ts')).openService(deployment);
    return opened;
  });
  return { ...deployment, merchantId, service, close: async () => opened?.close() };
}
