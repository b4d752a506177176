import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { listOverdue } from '#payment-requests/read/list-overdue.ts';
import { renderHealth } from './health-page.ts';
import { renderOverdue } from './overdue-page.ts';
import { readHealth } from './read-health.ts';

/** How the deployment is: health, and the payment requests that stand still. */
export function registerHealthPages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  routes.page('/operator/health', 'operator.health.read', async (visit) =>
    renderHealth(visit, await readHealth(deps)),
  );
  routes.page('/operator/overdue', 'operator.health.read', async (visit) =>
    renderOverdue(visit, await listOverdue(deps)),
  );
}
