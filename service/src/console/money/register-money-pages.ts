import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { registerConnectionPages } from './bank/connection-page.ts';
import { exportOthers, searchOthers, showUnmatched } from './bank/unmatched-page.ts';
import { showCase, showOwnCase } from './cases/case-page.ts';
import { CASE_ACTS, settleByForm, showSettlement } from './cases/settle-page.ts';
import { exportReport, showReport } from './report/merchant-report.ts';
import { exportReportOfAll, showReportOfAll } from './report/operator-report.ts';

const CASE = '/operator/cases/:id';

/** The pages of money: cases, money that fits no payment request, and the report of a day. */
export function registerMoneyPages(routes: ConsoleRoutes): void {
  routes.page(CASE, 'operator.cases.read', showCase);
  for (const act of CASE_ACTS) {
    const [path, action] = [`${CASE}/${act}`, 'operator.cases.settle'] as const;
    routes.page(path, action, (deps, visit) => showSettlement(deps, visit, act));
    routes.form(path, action, 'typed', (deps, visit, form) => settleByForm(deps, visit, act, form));
  }
  routes.page('/m/:merchant/cases/:id', 'cases.read', showOwnCase);
  routes.page('/operator/unmatched', 'operator.bank.read', showUnmatched);
  routes.form('/operator/unmatched', 'operator.bank.read', 'typed', searchOthers);
  routes.page('/operator/unmatched.csv', 'operator.bank.read', exportOthers);
  registerConnectionPages(routes);
  routes.page('/m/:merchant/report', 'ledger.read', showReport);
  routes.page('/m/:merchant/report.csv', 'ledger.read', exportReport);
  routes.page('/operator/report', 'operator.report.read', showReportOfAll);
  routes.page('/operator/report.csv', 'operator.report.read', exportReportOfAll);
}
