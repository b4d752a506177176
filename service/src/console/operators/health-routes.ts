import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { listStuck } from '#payment-requests/read/list-stuck.ts';
import { renderHealth } from './health-page.ts';
import { readHealth } from './read-health.ts';
import { renderStuck } from './stuck-page.ts';

/** How the deployment is: health, and the payment requests that stand still. */
export function registerHealthPages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  routes.page({
    path: '/operator/health',
    action: 'operator.health.read',
    show: async (visit) => renderHealth(visit, await readHealth(deps)),
  });
  routes.page({
    path: '/operator/stuck',
    action: 'operator.health.read',
    show: async (visit) => renderStuck(visit, await listStuck(deps)),
  });
}
