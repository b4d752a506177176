import type { ConsoleDeps } from '#console/console-deps.ts';
import { listFile } from '#console/lists/list-file.ts';
import { listPage } from '#console/lists/list-page.ts';
import type { ListSpec } from '#console/lists/list-spec.ts';
import { registerLiveList } from '#console/lists/live-lists.ts';
import { registerShortcutsPage } from '#console/lists/shortcuts-page.ts';
import { registerSavedViewPages } from '#console/lists/views/routes.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { Problem } from '#lib/problem.ts';
import { RunningStreams } from '#merchants/lists/running-streams.ts';
import { auditList, ownAuditList } from './audit-list.ts';
import { bankEntryList, bankFileList } from './bank-lists.ts';
import { merchantList } from './merchant-list.ts';
import { messageLists, suppressionLists, templateList } from './message-lists.ts';
import { caseLists, ledgerList, refundList } from './money-lists.ts';
import { type PaymentRequestListDeps, paymentRequestList } from './payment-request-list.ts';
import { sessionList, teamList } from './people-lists.ts';
import { deliveryList, endpointList, replayList } from './webhook-lists.ts';

export type ListsDeps = ConsoleDeps & PaymentRequestListDeps;

/** Every list of the console. */
export const listsOf = (deps: ListsDeps): readonly ListSpec[] => [
  paymentRequestList(deps),
  refundList(deps),
  ...messageLists(),
  ...suppressionLists(),
  deliveryList(),
  endpointList(),
  replayList(),
  ledgerList(deps),
  ...caseLists(deps),
  ownAuditList(),
  teamList(deps),
  templateList(),
  merchantList(),
  auditList(),
  sessionList(deps),
  bankFileList(deps.money),
  bankEntryList(deps.money),
];

/** Every list, each as a page and as a CSV file, and the views that people save. */
export function registerLists(routes: ConsoleRoutes, deps: ListsDeps): void {
  const lists = listsOf(deps);
  const running = new RunningStreams();
  routes.onStop(() => running.stop());
  for (const spec of lists) {
    const { path, action } = spec;
    routes.page(path, action, (_, visit, request) => listPage(spec, deps, visit, request));
    routes.page(`${path}.csv`, action, (_, visit, request) =>
      listFile(spec, { ...deps, running }, visit, request).catch((error: unknown) => {
        // The page shows the faults at their fields.
        if (error instanceof Problem && error.code === 'VALIDATION_ERROR') {
          return listPage(spec, deps, visit, request);
        }
        throw error;
      }),
    );
    registerLiveList(routes, deps, spec);
  }
  registerSavedViewPages(routes, { ...deps, lists });
  registerShortcutsPage(routes);
}
