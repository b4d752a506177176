import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { exportCases, showCaseList } from './case-list-page.ts';
import { showCase, showOwnCase } from './case-page.ts';
import { CASE_ACTS, settleByForm, showSettlement } from './settle-page.ts';

/** Cases: an operator's to settle, and a merchant's own to read. */
export function registerCasePages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  const all = { path: '/operator/cases', merchantId: null };
  const ownOf = (merchantId: string) => ({ path: `/m/${merchantId}/cases`, merchantId });
  const read = 'operator.cases.read';
  routes.page({
    path: all.path,
    action: read,
    show: (visit) => showCaseList(deps, visit, all),
  });
  routes.page({
    path: `${all.path}.csv`,
    action: read,
    show: (visit) => exportCases(deps, visit, all),
  });
  routes.page({
    path: `${all.path}/:id`,
    action: read,
    show: (visit) => showCase(deps, visit),
  });
  for (const act of CASE_ACTS) {
    const path = `${all.path}/:id/${act}`;
    const action = 'operator.cases.settle';
    routes.page({ path, action, show: (visit) => showSettlement(deps, visit, act) });
    routes.act({
      ...{ path, action, form: 'typed' },
      act: (visit, form) => settleByForm(deps, visit, act, form),
    });
  }
  routes.page({
    path: '/m/:merchant/cases',
    action: 'cases.read',
    show: (visit) => showCaseList(deps, visit, ownOf(visit.merchantId)),
  });
  routes.page({
    path: '/m/:merchant/cases.csv',
    action: 'cases.read',
    show: (visit) => exportCases(deps, visit, ownOf(visit.merchantId)),
  });
  routes.page({
    path: '/m/:merchant/cases/:id',
    action: 'cases.read',
    show: (visit) => showOwnCase(deps, visit),
  });
}
