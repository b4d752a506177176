import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import type { ListSpec } from './list-spec.ts';
import { type ListState, queryOf } from './list-state.ts';
import { isPeriod } from './model/days.ts';
import { LIST_TEXTS } from './texts.ts';

/** The filters in use, each with a link to the list without it; nothing where no filter is set. */
export function activeFilters<Row>(
  spec: ListSpec<Row>,
  { language }: Visit,
  address: string,
  state: ListState,
): string {
  if (state.values.size === 0) return '';
  const { text, rich } = LIST_TEXTS[language];
  const items = [...state.values].map(([parameter, values]) => {
    const [name, value] = wordsOf(spec, language, parameter, values);
    const query = queryOf(state, { without: [parameter] });
    return html`<li><span>!${rich('chip', { name, value })}</span>
<a href="${address}${query && `?${query}`}" aria-label="${text('remove', { name })}">×</a></li>`;
  });
  return html`<ul class="chips" aria-label="${text('active')}">!${items.join('')}</ul>`;
}

/** The name and the values of a filter, in words. */
function wordsOf<Row>(
  { filters, words }: ListSpec<Row>,
  language: Visit['language'],
  parameter: string,
  values: readonly string[],
): readonly [name: string, value: string] {
  const { text } = LIST_TEXTS[language];
  const [first = ''] = values;
  if (parameter === 'period') {
    return [text('days'), isPeriod(first) ? text(`period.${first}`) : first];
  }
  if (parameter === 'from' || parameter === 'to') return [text(parameter), first];
  const word = words(language);
  const options = filters.find(({ name }) => name === parameter)?.options ?? [];
  const shown = values.map((value) => (options.includes(value) ? word(`option.${value}`) : value));
  return [word(`filter.${parameter}`), shown.join(', ')];
}
