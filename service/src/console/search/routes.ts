import { html } from 'ghtml';
import { emptyState } from '#console/components/parts.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { merchantsWithAction } from '#console/model/merchants-with-action.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { isId } from '#lib/new-id.ts';
import { findNamedMerchant } from '#merchants/find-named-merchant.ts';
import {
  type Found,
  findInOrder,
  searchPaymentRequests,
} from '#payment-requests/lookup/search-payment-requests.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { hitList, renderSuggestions } from './hit-list.ts';
import { renderPalette } from './palette.ts';
import { searchCard } from './search-card.ts';
import { filterHint, filterLinks } from './suggest-filters.ts';

const SEARCH_TEXTS = pageTexts('console.search');

/** A screen holds about as many. */
const MOST_SHOWN = 20;
/** Beside a field. */
const MOST_SUGGESTED = 6;

export type SearchPagesDeps = Pick<ConsoleDeps, 'db' | 'findByBankReference'>;

/**
 * The search over everything that the person may read. The searched text comes in a form and
 * leaves no trace: the answer leads to addresses that hold ids alone (decision 0070).
 */
export function registerSearchPages(routes: ConsoleRoutes): void {
  routes.act('/search', 'home.read', 'typed', async (deps, visit, form) => {
    const searched = form.get('q') ?? '';
    const hint = filterHint(visit, searched);
    if (!form.has('typing')) return { to: await addressOf(deps, visit, searched, hint) };
    const found = await find(deps, visit, searched, { most: MOST_SUGGESTED, isTyping: true });
    const shown = found.map((each) => paymentRequestAt(each.paymentRequest, visit.now));
    const content = renderSuggestions(visit, shown, hint);
    const type = 'text/html; charset=utf-8';
    return { fileName: 'suggestions.html', type, content, isInline: true };
  });
  routes.page('/search', 'home.read', async (deps, visit) => {
    const { query } = visit;
    if (!query.has('found')) return startPage(deps, visit);
    const shown = await readNamed(deps, visit, 'found', MOST_SHOWN);
    return renderResults(visit, shown, { hasMore: query.has('more'), hint: query.get('try') });
  });
}

/** `at` names the merchant whose pages the palette offers, `recent` the last payment requests. */
async function startPage(deps: SearchPagesDeps, visit: Visit) {
  const { language, query, can } = visit;
  const at = query.get('at');
  const isReadable = at !== null && can('payment-requests.read', at);
  const named = isReadable ? await findNamedMerchant(deps.db, at) : null;
  const shownMerchant = named ?? visit.shownMerchant;
  const recent = await readNamed(deps, visit, 'recent', MOST_SUGGESTED);
  const title = SEARCH_TEXTS[language].text('title');
  const body = `<h1>${title}</h1>${renderPalette(visit, { language, shownMerchant, can }, recent)}`;
  return { title, body, hasSearch: true } as const;
}

/** The payment requests whose ids a parameter lists, as far as the person may read them. */
async function readNamed(
  { db }: SearchPagesDeps,
  { viewer, query, now }: Visit,
  parameter: string,
  most: number,
): Promise<PaymentRequest[]> {
  const ids = (query.get(parameter) ?? '').split(' ').filter(isId).slice(0, most);
  const merchants = merchantsWithAction(viewer.grants, 'payment-requests.read');
  return (await findInOrder(db, ids))
    .filter(({ merchant }) => merchants?.includes(merchant.id) ?? true)
    .map((each) => paymentRequestAt(each, now));
}

/** The page of the only hit, or the page that lists all hits by their ids. */
async function addressOf(
  deps: SearchPagesDeps,
  visit: Visit,
  searched: string,
  hint: string | null,
): Promise<string> {
  const found = await find(deps, visit, searched, { most: MOST_SHOWN + 1 });
  const [only] = found;
  if (only && found.length === 1) {
    const { id, merchant } = only.paymentRequest;
    return `/console/m/${merchant.id}/payment-requests/${id}`;
  }
  const ids = found.slice(0, MOST_SHOWN).map(({ paymentRequest: { id } }) => id);
  const more = found.length > MOST_SHOWN ? '&more=1' : '';
  const filter = !only && hint !== null ? `&try=${hint}` : '';
  return `/console/search?found=${ids.join('+')}${more}${filter}`;
}

function find(
  { db, findByBankReference }: SearchPagesDeps,
  { viewer }: Visit,
  searched: string,
  limits: { readonly most: number; readonly isTyping?: true },
): Promise<readonly Found[]> {
  const merchantIds = merchantsWithAction(viewer.grants, 'payment-requests.read');
  const search = { db, ...(findByBankReference && { findElsewhere: findByBankReference }) };
  return searchPaymentRequests(search, searched, { merchantIds, ...limits });
}

/**
 * The hits of a search; the page does not know what was searched for. Without a hit it has a link
 * for the filter of the hint.
 */
function renderResults(
  visit: Visit,
  found: readonly PaymentRequest[],
  { hasMore, hint }: { readonly hasMore: boolean; readonly hint: string | null },
): ConsolePage {
  const { text } = SEARCH_TEXTS[visit.language];
  const count = found.length;
  const lead = hasMore ? html`<p class="quiet">${text('more', { count })}</p>` : '';
  const nothing = emptyState(
    text('noneWhy'),
    html`<p>${text('noneNext')}</p>!${filterLinks(visit, hint)}`,
  );
  const body =
    count === 0
      ? html`<h1>${text('none')}</h1>!${nothing}`
      : html`<h1>${text('results', { count })}</h1>!${lead}!${hitList(visit, found)}`;
  const label = { label: text('again'), hint: text('hint') };
  return {
    title: text('title'),
    body: searchCard(visit, label) + body,
    hasSearch: true,
  };
}
