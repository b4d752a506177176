import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { showCase, showOwnCase } from './case-page.ts';
import { CASE_ACTS, settleByForm, showSettlement } from './settle-page.ts';

/** Cases: an operator's to settle, and a merchant's own to read. */
export function registerCasePages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  const path = '/operator/cases/:id';
  routes.page(path, 'operator.cases.read', (visit) => showCase(deps, visit));
  for (const act of CASE_ACTS) {
    const action = 'operator.cases.settle';
    const form = `${path}/${act}`;
    routes.page(form, action, (visit) => showSettlement(deps, visit, act));
    routes.act(form, action, 'typed', (visit, posted) => settleByForm(deps, visit, act, posted));
  }
  routes.page('/m/:merchant/cases/:id', 'cases.read', (visit) => showOwnCase(deps, visit));
}
