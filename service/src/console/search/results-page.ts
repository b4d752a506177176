import { html } from 'ghtml';
import { emptyState } from '#console/components/empty-state.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { hitList } from './hit-list.ts';
import { searchCard } from './search-card.ts';
import { filterLinks } from './suggest-filters.ts';

const SEARCH_TEXTS = pageTexts('console.search');

/**
 * The hits of a search; the page does not know what was searched for. Without a hit it has a link
 * for the filter of the hint.
 */
export function renderResults(
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
    section: 'home',
    body: searchCard(visit, label) + body,
    hasSearch: true,
  };
}
