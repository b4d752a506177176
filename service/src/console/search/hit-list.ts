import { html } from 'ghtml';
import { requestBadge } from '#console/components/badges.ts';
import { amount, relativeTime } from '#console/components/values.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { filterLinks } from './suggest-filters.ts';

const SEARCH_TEXTS = pageTexts('console.search');

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

/** The reference, the merchant unless it is that of the menu, and the age. */
function aboutOf(visit: Visit, p: PaymentRequest): string[] {
  const reference = p.invoiceNumber ?? p.merchantTransactionId ?? p.payer.merchantAccountId;
  const merchant = p.merchant.id === visit.shownMerchant?.id ? null : p.merchant.name;
  const words = [reference, merchant].filter(Boolean).map((each) => html`${each}`);
  return [...words, relativeTime(visit, p.createdAt)];
}
