import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { shownAccount } from '#lib/bank/account-number.ts';

/** An amount in cents as the language writes it, with a true minus, as plain text. */
export function amountText(
  visit: Pick<Visit, 'language' | 'currency'>,
  cents: number,
  currency = visit.currency,
): string {
  return localizedAmount(visit.language, cents, currency).replace('-', '−');
}

/** An amount in cents as HTML; left out: in the currency of the deployment. */
export function amount(visit: Visit, cents: number, currency?: string): string {
  return html`<span class="amount">${amountText(visit, cents, currency)}</span>`;
}

/** An amount that may be absent. */
export function amountOrNone(visit: Visit, cents: number | null, currency: string): string {
  return cents === null ? '–' : amount(visit, cents, currency);
}

/** An account or reference as it is printed: IBANs and references in groups of four. */
export function inGroups(text: string): string {
  return html`<span class="mono">${shownAccount(text)}</span>`;
}

/** A calendar date, as in 2026-03-01: no instant, so that it is the same in every zone. */
export function day(date: string | null): string {
  return date === null ? '–' : html`<span class="day">${date}</span>`;
}

/** The address of a payment request's page. */
export function requestPath(merchantId: string, id: string): string {
  return `/console/m/${encodeURIComponent(merchantId)}/payment-requests/${id}`;
}

/** The first characters of an identifier, which tell people two of them apart. */
export function shortId(id: string): string {
  return html`<span class="mono" title="${id}">${id.slice(0, 8)}…${id.slice(-4)}</span>`;
}
