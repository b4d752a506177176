import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { registerHealthPages } from './health-routes.ts';
import { registerMerchantPages } from './merchant-routes.ts';
import { MERCHANTS_PATH } from './merchants-path.ts';
import { onboard, onboardPage } from './onboard.ts';

/** The pages for operators: merchants and the health of the deployment. */
export function registerOperatorPages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  routes.page(`${MERCHANTS_PATH}/new`, 'operator.merchants.onboard', (visit) => onboardPage(visit));
  routes.act(`${MERCHANTS_PATH}/new`, 'operator.merchants.onboard', 'logo', (visit, form) =>
    onboard(deps, visit, form),
  );
  registerMerchantPages(routes, deps);
  registerHealthPages(routes, deps);
}
