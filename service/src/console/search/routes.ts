import type { ConsoleDeps } from '#console/console-deps.ts';
import { merchantsWithAction } from '#console/model/merchants-with-action.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { Visit } from '#console/shell/visit.ts';
import { isId } from '#lib/new-id.ts';
import {
  findInOrder,
  searchPaymentRequests,
} from '#payment-requests/lookup/search-payment-requests.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { renderResults } from './results-page.ts';

/** A screen holds about as many. */
const MOST_SHOWN = 20;

export type SearchPagesDeps = Pick<ConsoleDeps, 'db' | 'findByBankReference'>;

/**
 * The search over everything that the person may read. The searched text comes in a form and
 * leaves no trace: the answer leads to addresses that hold ids alone (decision 0070).
 */
export function registerSearchPages(routes: ConsoleRoutes, deps: SearchPagesDeps): void {
  routes.act('/search', 'home.read', 'typed', async (visit, form) => ({
    to: await addressOf(deps, visit, form.get('q') ?? ''),
  }));
  routes.page('/search', 'home.read', async (visit) => {
    const asked = (visit.query.get('found') ?? '').split(' ').filter(isId);
    const found = await findInOrder(deps.db, asked.slice(0, MOST_SHOWN));
    const merchants = merchantsWithAction(visit.viewer.grants, 'payment-requests.read');
    const shown = found
      .filter(({ merchant }) => merchants?.includes(merchant.id) ?? true)
      .map((each) => paymentRequestAt(each, visit.now));
    return renderResults(visit, shown, visit.query.has('more'));
  });
}

/** The page of the only hit, or the page that lists all hits by their ids. */
async function addressOf(
  { db, findByBankReference }: SearchPagesDeps,
  { viewer }: Visit,
  searched: string,
): Promise<string> {
  const merchantIds = merchantsWithAction(viewer.grants, 'payment-requests.read');
  const scope = { merchantIds, most: MOST_SHOWN + 1 };
  const search = { db, ...(findByBankReference && { findElsewhere: findByBankReference }) };
  const found = await searchPaymentRequests(search, searched, scope);
  const [only] = found;
  if (only && found.length === 1) {
    const { id, merchant } = only.paymentRequest;
    return `/console/m/${merchant.id}/payment-requests/${id}`;
  }
  const ids = found.slice(0, MOST_SHOWN).map(({ paymentRequest: { id } }) => id);
  const more = found.length > MOST_SHOWN ? '&more=1' : '';
  return `/console/search?found=${ids.join('+')}${more}`;
}
