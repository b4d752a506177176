import { html } from 'ghtml';
import { statusWord } from '#console/components/badges.ts';
import type { Visit } from '#console/shell/visit.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { LONGEST_PASTED } from '#payment-requests/lookup/search-terms.ts';
import { STATUSES } from '#payment-requests/model/statuses.ts';
import { fold } from './places.ts';

const SEARCH_PATH = '/console/search';
const SEARCH_TEXTS = pageTexts('console.search');

export interface SearchCardTexts {
  readonly label: string;
  readonly hint: string;
  /** The id of the field; `q` is that of the search in the bar. */
  readonly id?: string;
  readonly action?: string;
  readonly value?: string;
}

/**
 * The search inside a page, instead of the one in the bar. By POST: the searched text is often the
 * payer's data, which no address may hold.
 */
export function searchCard(
  { language, csrf }: Visit,
  { label, hint, id = 'q', action = SEARCH_PATH, value = '' }: SearchCardTexts,
): string {
  const { text } = SEARCH_TEXTS[language];
  return html`<form class="card find" aria-label="${label}"
 role="search" method="post" action="${action}"!${action === SEARCH_PATH ? ' data-suggest' : ''}>
<input type="hidden" name="csrf" value="${csrf}"><label for="${id}">${label}</label>
<span class="hint" id="${id}-hint">${hint}</span>
<div><input type="search" id="${id}" name="q" value="${value}" required autocomplete="off"
 aria-describedby="${id}-hint"
 maxlength="${LONGEST_PASTED}"><button class="button">${text('search')}</button></div></form>`;
}

/** More digits may be a phone number or an account, which no address may hold. */
const WHOLE_AMOUNT = /^[1-9]\d{0,4}$/;

type Viewed = Pick<Visit, 'language' | 'currency' | 'shownMerchant'>;

/**
 * The filter that a searched text may stand for: a status, or a whole amount without its cents. It
 * holds nothing of a payer.
 */
export function filterHint({ language }: Pick<Visit, 'language'>, searched: string): string | null {
  const text = searched.trim();
  if (WHOLE_AMOUNT.test(text)) return text;
  const status = STATUSES.find((each) =>
    [each, statusWord(language, `request.${each}`)].some((word) => fold(word) === fold(text)),
  );
  return status ?? null;
}

/** Lines that lead to the merchant's list with the filter of a hint, and without. */
export function filterLinks(visit: Viewed, hint: string | null): string {
  const { text } = SEARCH_TEXTS[visit.language];
  const { shownMerchant: merchant } = visit;
  if (!merchant) return '';
  const filter = hint === null ? null : filterOf(visit, hint);
  const list = `/console/m/${merchant.id}/payment-requests`;
  const link = (query: string, words: string) =>
    html`<li><a href="${list}${query}">${words}</a></li>`;
  const filtered = filter && link(`?${filter.query}`, text('filter', { filter: filter.words }));
  return (filtered ?? '') + link('', text('allFilters', { merchant: merchant.name }));
}

function filterOf({ language, currency }: Viewed, hint: string) {
  if (WHOLE_AMOUNT.test(hint)) {
    const [from, to] = [`${hint}.00`, `${hint}.99`];
    const words = [from, to].map((each) => localizedAmount(language, Number(each) * 100, currency));
    return { query: `amountMin=${from}&amountMax=${to}`, words: words.join(' – ') };
  }
  const status = STATUSES.find((each) => each === hint);
  return status
    ? { query: `status=${status}`, words: statusWord(language, `request.${status}`) }
    : null;
}
