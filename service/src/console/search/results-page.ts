import { html } from 'ghtml';
import { emptyState } from '#console/components/empty-state.ts';
import { money } from '#console/components/money.ts';
import { relativeTime } from '#console/components/relative-time.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import {
  type Column,
  column,
  moneyColumn,
  NONE,
  rowHeader,
  table,
} from '#console/components/table.ts';
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
  const list = table(text('list'), columnsOf(visit, found), found);
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
    body: body + searchCard(visit, label),
    hasSearch: true,
  };
}

function columnsOf(
  visit: Visit,
  found: readonly PaymentRequest[],
): readonly Column<PaymentRequest>[] {
  const { text } = SEARCH_TEXTS[visit.language];
  const hasSeveral = new Set(found.map(({ merchant }) => merchant.id)).size > 1;
  const ofMerchant: Column<PaymentRequest> = column(
    text('merchant'),
    ({ merchant }) => html`${merchant.name}`,
  );
  return [
    rowHeader(text('status'), ({ id, merchant, status, payer }) => {
      const href = `/console/m/${merchant.id}/payment-requests/${id}`;
      return html`<a class="row" href="${href}">!${statusBadge(visit, `request.${status}`)}<span
 class="unseen">, ${payer.name}</span></a>`;
    }),
    moneyColumn(text('amount'), (p) => money(visit, p.amountCents)),
    column(text('payer'), ({ payer }) => html`${payer.name}`),
    column(text('reference'), (p) => html`${p.invoiceNumber ?? p.merchantTransactionId ?? NONE}`),
    ...(hasSeveral ? [ofMerchant] : []),
    column(text('created'), ({ createdAt }) => relativeTime(visit, createdAt)),
  ];
}
