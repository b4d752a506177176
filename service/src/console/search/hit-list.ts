import { html } from 'ghtml';
import { amount } from '#console/components/amount.ts';
import { relativeTime } from '#console/components/relative-time.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { filterLinks } from './suggest-filters.ts';

const SEARCH_TEXTS = pageTexts('console.search');

/** Payment requests as lines to choose from: the payer first, the merchant where several are. */
export function hitList(visit: Visit, found: readonly PaymentRequest[]): string {
  const hasSeveral = new Set(found.map(({ merchant }) => merchant.id)).size > 1;
  const lines = found.map(
    (p) => html`<li><a class="hit" href="/console/m/${p.merchant.id}/payment-requests/${p.id}">
<strong>${p.payer.name}</strong> !${statusBadge(visit, `request.${p.status}`)}
!${amount(visit, p.amountCents)}
<span class="quiet">${referenceOf(p)} ${hasSeveral ? p.merchant.name : ''}
!${relativeTime(visit, p.createdAt)}</span></a></li>`,
  );
  return html`<ul class="hits">!${lines.join('')}</ul>`;
}

/** The answer while a person types: lines, and their number for screen readers. */
export function renderSuggestions(
  visit: Visit,
  found: readonly PaymentRequest[],
  hint: string | null,
): string {
  const { text } = SEARCH_TEXTS[visit.language];
  const told = found.length === 0 ? text('none') : text('results', { count: found.length });
  const lines =
    found.length === 0
      ? html`<p class="quiet">${told}</p>!${filterLinks(visit, hint)}`
      : hitList(visit, found);
  return html`<div data-told="${told}">!${lines}</div>`;
}

function referenceOf({ invoiceNumber, merchantTransactionId, payer }: PaymentRequest): string {
  return invoiceNumber ?? merchantTransactionId ?? payer.merchantAccountId ?? '';
}
