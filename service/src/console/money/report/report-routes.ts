import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { exportReport, showReport } from './merchant-report.ts';
import { exportReportOfAll, showReportOfAll } from './operator-report.ts';

/** The reconciliation report of a day: of a merchant, and of all. */
export function registerReportPages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  routes.page('/m/:merchant/report', 'ledger.read', (visit) => showReport(deps, visit));
  routes.page('/m/:merchant/report.csv', 'ledger.read', (visit) => exportReport(deps, visit));
  routes.page('/operator/report', 'operator.report.read', (visit) => showReportOfAll(deps, visit));
  routes.page('/operator/report.csv', 'operator.report.read', (visit) =>
    exportReportOfAll(deps, visit),
  );
}
