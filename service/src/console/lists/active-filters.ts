import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import type { ListFilter, ListSpec } from './list-spec.ts';
import { type ListState, queryOf } from './list-state.ts';
import { isPeriod } from './model/days.ts';

/** More values would fill a phone's width; the form has them all. */
const MOST_NAMED = 3;

/** The filters in use, each with a link to the list without it; nothing where no filter is set. */
export function activeFilters(
  spec: ListSpec,
  { language }: Visit,
  address: string,
  state: ListState,
): string {
  if (state.values.size === 0) return '';
  const { text, rich } = spec.words(language);
  const items = [...state.values].map(([parameter, values]) => {
    const [name, value] = wordsOf(spec, language, parameter, values);
    const query = queryOf(state, { without: [parameter] });
    return html`<li><span>!${rich('chip', { name, value })}</span>
<a href="${address}${query && `?${query}`}" aria-label="${text('remove', { name })}">×</a></li>`;
  });
  return html`<ul class="chips" aria-label="${text('active')}">!${items.join('')}</ul>`;
}

/** The name and the values of a filter, in words. */
function wordsOf(
  spec: ListSpec,
  language: Visit['language'],
  parameter: string,
  values: readonly string[],
): readonly [name: string, value: string] {
  const { text } = spec.words(language);
  const [first = ''] = values;
  if (parameter === 'period') {
    return [text('days'), isPeriod(first) ? text(`period.${first}`) : first];
  }
  if (parameter === 'zone') return [text('zone'), first];
  const day = spec.days?.names.indexOf(parameter) ?? -1;
  if (day >= 0) return [text(day === 0 ? 'from' : 'to'), first];
  const filter = spec.filters.find(({ name }) => name === parameter);
  const shown = values.map((value) =>
    filter?.options?.includes(value) ? optionWord(spec, language, filter, value) : value,
  );
  return [
    text(`filter.${parameter}`),
    shown.length > MOST_NAMED ? text('chosen', { count: shown.length }) : shown.join(', '),
  ];
}

/** The word of a value that a filter offers. */
export function optionWord(
  { words }: ListSpec,
  language: Visit['language'],
  { wordOf }: ListFilter,
  value: string,
): string {
  return wordOf?.(language, value) ?? words(language).text(`option.${value}`);
}
