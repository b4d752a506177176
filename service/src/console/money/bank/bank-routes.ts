import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { showFile } from './file-page.ts';
import { showFiles } from './files-page.ts';
import { exportOthers, searchOthers, showUnmatched } from './unmatched-page.ts';

/** The files of the bank, and money that fits no payment request, for operators. */
export function registerBankPages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  const action = 'operator.bank.read';
  routes.page({
    path: '/operator/bank-files',
    action,
    show: (visit) => showFiles(deps, visit),
  });
  routes.page({
    path: '/operator/bank-files/:id',
    action,
    show: (visit) => showFile(deps, visit),
  });
  routes.page({
    path: '/operator/unmatched',
    action,
    show: (visit) => showUnmatched(deps, visit),
  });
  routes.act({
    path: '/operator/unmatched',
    action,
    form: 'typed',
    act: (_visit, form) => searchOthers(deps, form),
  });
  routes.page({ path: '/operator/unmatched.csv', action, show: () => exportOthers(deps) });
}
