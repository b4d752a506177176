import { html } from 'ghtml';
import { requestBadge } from '#console/components/badges.ts';
import { emptyState } from '#console/components/parts.ts';
import { amount, relativeTime } from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { merchantsWithAction } from '#console/model/merchants-with-action.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import {
  type NavigationVisit,
  openSections,
  type Place,
  renderSections,
} from '#console/shell/render-page.ts';
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
import { openActs, placeLinks, placesNamed } from './places.ts';
import { openWords, sealWords } from './sealed-words.ts';
import { filterHint, filterLinks, searchCard } from './search-card.ts';

const SEARCH_TEXTS = pageTexts('console.search');

/** A screen holds about as many. */
const MOST_SHOWN = 20;
/** Beside a field. */
const MOST_SUGGESTED = 6;

export type SearchPagesDeps = Pick<ConsoleDeps, 'db' | 'findByBankReference'>;

/**
 * The search over everything that the person may read. The searched text comes in a form and
 * leaves no trace: the answer leads to addresses that hold ids, and the words under a seal that the
 * session alone can open (decision 0070).
 */
export function registerSearchPages(routes: ConsoleRoutes): void {
  routes.form('/search', 'home.read', 'typed', async (deps, visit, form) => {
    const searched = form.get('q') ?? '';
    const hint = filterHint(visit, searched);
    if (!form.has('typing')) return { to: await addressOf(deps, visit, searched, hint) };
    const found = await find(deps, visit, searched, { most: MOST_SUGGESTED, isTyping: true });
    const shown = found.map((each) => paymentRequestAt(each.paymentRequest, visit.now));
    const places = form.get('typing') === 'bar' ? placesNamed(visit, searched) : [];
    const content = renderSuggestions(visit, shown, { hint, places });
    const type = 'text/html; charset=utf-8';
    return { fileName: 'suggestions.html', type, content, isInline: true };
  });
  routes.page('/search', 'home.read', async (deps, visit) => {
    const { query } = visit;
    if (!query.has('found')) return startPage(deps, visit);
    const shown = await readNamed(deps, visit, 'found', MOST_SHOWN);
    const results = { hasMore: query.has('more'), hint: query.get('try') };
    return renderResults(visit, shown, { words: openWords(visit), ...results });
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
  const words = sealWords(visit, searched);
  return `/console/search?found=${ids.join('+')}${more}${filter}${words && `&words=${words}`}`;
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

interface Results {
  /** Empty: another session has searched. */
  readonly words: string;
  readonly hasMore: boolean;
  readonly hint: string | null;
}

/** The hits of a search, and the pages and acts whose names have its words. */
function renderResults(
  visit: Visit,
  found: readonly PaymentRequest[],
  { words, hasMore, hint }: Results,
): ConsolePage {
  const { text } = SEARCH_TEXTS[visit.language];
  const count = found.length;
  const lead = hasMore ? html`<p class="quiet">${text('more', { count })}</p>` : '';
  const title = text(count === 0 ? 'none' : 'results', { count }) + (words && ` · “${words}”`);
  const shown = count === 0 ? nothingFound(visit, hint) : hitList(visit, found);
  const places = placeLinks(placesNamed(visit, words));
  const card = { label: text('again'), hint: text('hint'), value: words };
  return {
    // Browsers keep titles, which hold no words of a search.
    title: text('title'),
    body: html`!${searchCard(visit, card)}<h1>${title}</h1>!${lead}!${shown}!${
      places && html`<h2>${text('places')}</h2><ul class="hits">!${places}</ul>`
    }`,
    hasSearch: true,
  };
}

/** Tells which fields were searched, and other ways to a payment. */
function nothingFound(visit: Visit, hint: string | null): string {
  const { text } = SEARCH_TEXTS[visit.language];
  const others = openSections(visit, ['operator.merchants', 'operator.unmatched']);
  const ways = filterLinks(visit, hint) + placeLinks(others);
  const next = html`<p>${text('noneWhy')}</p><p>${text('noneNext')}</p>`;
  const list = ways && html`<h2>${text('ways')}</h2><ul class="hits">!${ways}</ul>`;
  return html`!${emptyState(text('noneHere'), next)}!${list}<div data-lately></div>`;
}

/**
 * Search, payment requests that were open lately, acts and pages. It is the page of the search, and
 * the script `console-palette` opens it as a dialog.
 */
export function renderPalette(
  visit: Visit,
  place: NavigationVisit,
  recent: readonly PaymentRequest[],
): string {
  const { text } = SEARCH_TEXTS[visit.language];
  const label = { label: text('label'), hint: text('hint'), id: 'palette' };
  const lately = recent.length > 0 ? html`<h2>${text('recent')}</h2>` + hitList(visit, recent) : '';
  return html`<section class="palette" data-palette="${text('label')}" data-here="${text('here')}">
!${searchCard(visit, label)}
<button class="button quiet" type="button" data-close hidden>${text('close')}</button>
<div data-recent>!${lately}</div>
<div data-choices><h2>${text('acts')}</h2><ul>!${placeLinks(openActs(place))}</ul>
<div data-pages><h2>${text('pages')}</h2>!${renderSections(place, null)}</div></div></section>`;
}

/** Payment requests as lines to choose from, the payer first. */
export function hitList(visit: Visit, found: readonly PaymentRequest[]): string {
  const lines = found.map(
    (p) => html`<li><a class="hit" href="/console/m/${p.merchant.id}/payment-requests/${p.id}">
<strong>${p.payer.name}</strong> !${requestBadge(visit, p)}!${amount(visit, p.amountCents)}
<span class="quiet">!${aboutOf(visit, p).join(' · ')}</span></a></li>`,
  );
  return html`<ul class="hits">!${lines.join('')}</ul>`;
}

/** The answer while a person types: lines, and their number for screen readers. */
export function renderSuggestions(
  visit: Visit,
  found: readonly PaymentRequest[],
  { hint, places }: { readonly hint: string | null; readonly places: readonly Place[] },
): string {
  const { text } = SEARCH_TEXTS[visit.language];
  const told = found.length === 0 ? text('none') : text('results', { count: found.length });
  const lines =
    found.length === 0
      ? html`<p class="quiet">${told}</p><ul class="hits">!${filterLinks(visit, hint)}</ul>`
      : hitList(visit, found);
  const pages = places.length > 0 ? html`<ul class="hits">!${placeLinks(places)}</ul>` : '';
  return html`<div data-told="${told}">!${pages}!${lines}</div>`;
}

/** The reference, the merchant unless it is that of the menu, and the age. */
function aboutOf(visit: Visit, p: PaymentRequest): string[] {
  const reference = p.invoiceNumber ?? p.merchantTransactionId ?? p.payer.merchantAccountId;
  const merchant = p.merchant.id === visit.shownMerchant?.id ? null : p.merchant.name;
  const words = [reference, merchant].filter(Boolean).map((each) => html`${each}`);
  return [...words, relativeTime(visit, p.createdAt)];
}
