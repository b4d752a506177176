import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { showLedger } from './ledger-page.ts';
import { exportReport, showReport } from './merchant-report.ts';
import { exportReportOfAll, showReportOfAll } from './operator-report.ts';

/** The reconciliation report of a day: of a merchant, and of all. */
export function registerReportPages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  routes.page({
    path: '/m/:merchant/report',
    action: 'ledger.read',
    show: (visit) => showReport(deps, visit),
  });
  routes.page({
    path: '/m/:merchant/report.csv',
    action: 'ledger.read',
    show: (visit) => exportReport(deps, visit),
  });
  routes.page({
    path: '/m/:merchant/ledger',
    action: 'ledger.read',
    show: (visit) => showLedger(deps, visit),
  });
  routes.page({
    path: '/operator/report',
    action: 'operator.report.read',
    show: (visit) => showReportOfAll(deps, visit),
  });
  routes.page({
    path: '/operator/report.csv',
    action: 'operator.report.read',
    show: (visit) => exportReportOfAll(deps, visit),
  });
}
