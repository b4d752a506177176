import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { listOverdue } from '#payment-requests/read/list-overdue.ts';
import { renderHealth } from './health-page.ts';
import { registerMerchantPages } from './merchant-routes.ts';
import { onboard, onboardPage } from './onboard.ts';
import { renderOverdue } from './overdue-page.ts';
import { MERCHANTS_PATH } from './parts.ts';
import { readHealth } from './read-health.ts';

/** The pages for operators: merchants, and how the deployment is. */
export function registerOperatorPages(routes: ConsoleRoutes): void {
  const [path, action] = [`${MERCHANTS_PATH}/new`, 'operator.merchants.onboard'] as const;
  routes.page(path, action, (_, visit) => onboardPage(visit));
  routes.act(path, action, 'logo', onboard);
  registerMerchantPages(routes);
  routes.page('/operator/health', 'operator.health.read', async (deps, visit) =>
    renderHealth(visit, await readHealth(deps)),
  );
  routes.page('/operator/overdue', 'operator.health.read', async (deps, visit) =>
    renderOverdue(visit, await listOverdue(deps)),
  );
}
