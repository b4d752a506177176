import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { registerBankPages } from './bank/bank-routes.ts';
import { registerCasePages } from './cases/case-routes.ts';
import { registerReportPages } from './report/report-routes.ts';

/** The pages of money: cases, bank files, unmatched money, and the report of a day. */
export function registerMoneyPages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  registerCasePages(routes, deps);
  registerBankPages(routes, deps);
  registerReportPages(routes, deps);
}
