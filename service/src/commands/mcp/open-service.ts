import Fastify from 'fastify';
import { registerApiReferenceRoutes } from '#api-reference/api-reference-routes.ts';
import type { Deployment } from '#commands/cli/with-deployment.ts';
import { registerProblemRoutes } from '#http/pages/problem-routes.ts';
import type { Log } from '#telemetry/log/log.ts';
import { createApp } from '../../app.ts';
import { appDepsOf } from '../../compose/app-deps.ts';
import { createClosingSteps } from '../../compose/closing-steps.ts';
import { openFoundation } from '../../compose/foundation.ts';
import { createParts } from '../../compose/parts.ts';

export type ServiceParts = Awaited<ReturnType<typeof openService>>;

/** Makes the parts of the service, without its listeners and loops. */
export async function openService(deployment: Deployment & { log: Log }) {
  const closing = createClosingSteps();
  const { clock, log, environment, publicApiUrl } = deployment;
  const options = { config: deployment, clock, log, roles: ['background'] } as const;
  const foundation = await openFoundation(options, closing);
  const parts = await createParts(foundation, undefined, closing);
  const deps = appDepsOf(foundation, parts);
  const { operations } = createApp(deps);
  const documents = Fastify();
  const { origin } = new URL(publicApiUrl);
  registerProblemRoutes(documents, { origin, isSandbox: environment === 'sandbox' });
  registerApiReferenceRoutes(documents, { ...deps.apiReference, operations });
  // The documents are the routes of the documentation; no address is bound.
  return { foundation, parts, documents, close: () => closing.closeAll() };
}
