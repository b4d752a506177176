import { html } from 'ghtml';
import { emptyState } from '#console/components/empty-state.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import { table } from '#console/components/table.ts';
import { show, titled } from '#console/lists/columns.ts';
import type { ListColumns } from '#console/lists/list-spec.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
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
  const list = table(text('list'), titled(visit, text, columnsOf(found)), found);
  const hits = html`<div class="list-rows">!${list}</div>`;
  const nothing = emptyState(
    text('noneWhy'),
    html`<p>${text('noneNext')}</p>!${filterLinks(visit, hint)}`,
  );
  const body =
    count === 0
      ? html`<h1>${text('none')}</h1>!${nothing}`
      : html`<h1>${text('results', { count })}</h1>!${lead}!${hits}`;
  const label = { label: text('again'), hint: text('hint') };
  return {
    title: text('title'),
    section: 'home',
    body: searchCard(visit, label) + body,
    hasSearch: true,
  };
}

const LEADING: ListColumns<PaymentRequest> = {
  status: show.cell(({ id, merchant, status, payer }, visit) => {
    const href = `/console/m/${merchant.id}/payment-requests/${id}`;
    return html`<a class="row" href="${href}">!${statusBadge(visit, `request.${status}`)}<span
 class="unseen">, ${payer.name}</span></a>`;
  }),
  amount: show.money((p) => p.amountCents),
  payer: show.text((p) => p.payer.name),
  reference: show.text((p) => p.invoiceNumber ?? p.merchantTransactionId),
};
const MERCHANT = { merchant: show.text<PaymentRequest>(({ merchant }) => merchant.name) };

/** The merchant stands in a column where several have hits. */
function columnsOf(found: readonly PaymentRequest[]): ListColumns<PaymentRequest> {
  const hasSeveral = new Set(found.map(({ merchant }) => merchant.id)).size > 1;
  return { ...LEADING, ...(hasSeveral && MERCHANT), created: show.age((p) => p.createdAt) };
}
