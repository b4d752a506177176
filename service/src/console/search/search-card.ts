import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { LONGEST_PASTED } from '#payment-requests/lookup/search-terms.ts';

const SEARCH_PATH = '/console/search';
const SEARCH_TEXTS = pageTexts('console.search');

export interface SearchCardTexts {
  readonly label: string;
  readonly hint: string;
  /** The id of the field; `q` is that of the search in the bar. */
  readonly id?: string;
  readonly action?: string;
}

/**
 * The search inside a page, instead of the one in the bar. By POST: the searched text is often the
 * payer's data, which no address may hold.
 */
export function searchCard(
  { language, csrf }: Visit,
  { label, hint, id = 'q', action = SEARCH_PATH }: SearchCardTexts,
): string {
  const { text } = SEARCH_TEXTS[language];
  return html`<form class="card find" aria-label="${label}"
 role="search" method="post" action="${action}"!${action === SEARCH_PATH ? ' data-suggest' : ''}>
<input type="hidden" name="csrf" value="${csrf}"><label for="${id}">${label}</label>
<span class="hint" id="${id}-hint">${hint}</span>
<div><input type="search" id="${id}" name="q" required autocomplete="off"
 aria-describedby="${id}-hint"
 maxlength="${LONGEST_PASTED}"><button class="button">${text('search')}</button></div></form>`;
}
