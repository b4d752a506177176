import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { Database } from '#database/database.ts';
import type { OverviewReads } from '#database/replica/overview-reads.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import type { ReadSharedPage } from '#payment-requests/read/list-payment-requests.ts';
import { listPage } from './list-page.ts';
import type { ListSpec } from './list-spec.ts';
import { callParameters, readListState } from './list-state.ts';
import { registerShortcutsPage } from './shortcuts-page.ts';
import { createCsvFiles, csvFile } from './specs/csv-file.ts';
import { deliveryList } from './specs/delivery-list.ts';
import { endpointList } from './specs/endpoint-list.ts';
import { paymentRequestList } from './specs/payment-request-list.ts';
import { refundList } from './specs/refund-list.ts';
import { registerSavedViewPages } from './views/routes.ts';

export interface ListsDeps {
  readonly db: Database;
  readonly reads: OverviewReads;
  readonly readPage: ReadSharedPage;
  readonly clock: Clock;
  readonly settings: PublicSettings;
}

/** The lists of a merchant, each as a page and as a CSV file, and the views that people save. */
export function registerLists(routes: ConsoleRoutes, deps: ListsDeps): void {
  const { make: makeCsvFile, stop } = createCsvFiles(deps.clock);
  routes.onStop(stop);
  const views = { ...deps, lists: [] as ListSpec<never>[] };
  function add<Row>(spec: ListSpec<Row>): void {
    registerList(routes, deps, spec);
    views.lists.push(spec as ListSpec<never>);
  }
  add(paymentRequestList({ ...deps, makeCsvFile }));
  add(refundList({ ...deps, makeCsvFile }));
  add(deliveryList({ ...deps, makeCsvFile }));
  add(endpointList(deps));
  registerSavedViewPages(routes, views);
  registerShortcutsPage(routes);
}

/** The page of a list, and its CSV file at the same address with `.csv`. */
export function registerList<Row>(
  routes: ConsoleRoutes,
  deps: Pick<ListsDeps, 'db' | 'clock'>,
  spec: ListSpec<Row>,
): void {
  const { path, action } = spec;
  routes.page({ path, action, show: (visit, request) => listPage(spec, deps, visit, request) });
  routes.page({
    path: `${path}.csv`,
    action,
    async show(visit, request) {
      const state = readListState(spec, visit.query);
      const { parameters, faults } = callParameters(spec, state, visit);
      const { limit: _, ...filters } = parameters;
      // The page shows the faults at their fields.
      if (faults.length > 0) return listPage(spec, deps, visit, request);
      // An answer to HEAD has headers only, so no row is read.
      if (request.method === 'HEAD') return csvFile(spec.name, deps.clock, '');
      try {
        return await spec.csv(visit, request, filters);
      } catch (error) {
        if (!isFaulty(error)) throw error;
        return listPage(spec, deps, visit, request);
      }
    },
  });
}

function isFaulty(error: unknown): boolean {
  return error instanceof Problem && error.code === 'VALIDATION_ERROR';
}
