import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { pageOfMerchants } from '#merchants/read-merchant.ts';
import { registerHealthPages } from './health-routes.ts';
import { MERCHANTS_PATH, renderMerchants } from './merchant-list.ts';
import { registerMerchantPages } from './merchant-routes.ts';
import { onboard, onboardPage } from './onboard.ts';

const LONGEST_SEARCH = 100;

/** The pages for operators: merchants and the health of the deployment. */
export function registerOperatorPages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  routes.page({
    path: MERCHANTS_PATH,
    action: 'operator.merchants.read',
    async show(visit) {
      const { query } = visit;
      const text = query.get('q')?.replaceAll('\0', '').trim().slice(0, LONGEST_SEARCH) ?? '';
      const cursor = query.get('cursor')?.replaceAll('\0', '') ?? null;
      return renderMerchants(visit, await pageOfMerchants(deps.db, { cursor, text }), text);
    },
  });
  routes.page({
    path: `${MERCHANTS_PATH}/new`,
    action: 'operator.merchants.onboard',
    show: (visit) => onboardPage(visit),
  });
  routes.act({
    path: `${MERCHANTS_PATH}/new`,
    action: 'operator.merchants.onboard',
    form: 'typed',
    act: (visit, form) => onboard(deps, visit, form),
  });
  registerMerchantPages(routes, deps);
  registerHealthPages(routes, deps);
}
