import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { exportOthers, searchOthers, showUnmatched } from './unmatched-page.ts';

/** Money that fits no payment request, for operators. */
export function registerBankPages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  const action = 'operator.bank.read';
  routes.page('/operator/unmatched', action, (visit) => showUnmatched(deps, visit));
  routes.act('/operator/unmatched', action, 'typed', (_visit, form) => searchOthers(deps, form));
  routes.page('/operator/unmatched.csv', action, () => exportOthers(deps));
}
