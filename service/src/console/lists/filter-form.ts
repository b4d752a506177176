import { html } from 'ghtml';
import { shownDate } from '#console/components/values.ts';
import type { FieldKind, Option } from '#console/forms/form-field.ts';
import { renderField } from '#console/forms/render-field.ts';
import { isDay, isPeriod, PERIODS } from '#console/lists/model/days.ts';
import type { Visit } from '#console/shell/visit.ts';
import { ID_LENGTH } from '#lib/new-id.ts';
import { faultText } from './fault-text.ts';
import type { DayFilter, FilterForm, ListFault, ListFilter, ListSpec } from './list-spec.ts';
import { isTab, type ListState, queryOf } from './list-state.ts';

/** Pages describe fields by these types of input; the server alone validates. */
const INPUT_TYPES: Readonly<Partial<Record<FilterForm, 'email' | 'tel'>>> = {
  email: 'email',
  phone: 'tel',
};

export interface FilterFormOptions {
  /** The list's own address, without parameters. */
  readonly address: string;
  readonly state: ListState;
  readonly faults: readonly ListFault[];
}

/** The form of a list's filters and columns: a plain GET form, so that its address can be kept. */
export function filterForm(
  spec: ListSpec,
  visit: Visit,
  { address, state, faults }: FilterFormOptions,
): string {
  const { text } = spec.words(visit.language);
  const fields = spec.filters.map((filter) => filterField(spec, visit, filter, { state, faults }));
  if (spec.days) fields.push(dayFields(spec, visit, spec.days, { state, faults }));
  const set = chosenFilters(spec, state).length;
  const title = set === 0 ? text('filters') : text('filtersSet', { count: set });
  const clear = set === 0 ? '' : html`<a href="${address}">${text('clear')}</a>`;
  const filters = html`<details!${faults.length > 0 ? ' open' : ''} id="filters">
<summary>${title}</summary><div class="list-filters">!${fields.join('')}</div>
!${buttons(text('show'), clear)}</details>`;
  return html`<form class="list-form" method="get" action="${address}" novalidate>
!${fields.length > 0 ? filters : ''}
<details><summary>${text('columns')}</summary>
<fieldset class="choices"><legend class="unseen">${text('columns')}</legend>
!${columnChoices(spec, visit, state)}</fieldset>!${buttons(text('show'))}</details></form>`;
}

function buttons(show: string, more = ''): string {
  return html`<p class="actions"><button class="button">${show}</button>!${more}</p>`;
}

function columnChoices(
  { columns, words }: ListSpec,
  { language }: Visit,
  { columns: shown }: ListState,
): string {
  const { text } = words(language);
  return Object.keys(columns)
    .map((name) =>
      choice('columns', name, text(`column.${name}`), shown.includes(name) ? ' checked' : ''),
    )
    .join('');
}

function choice(name: string, value: string, label: string, mark: string): string {
  return html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"!${mark}>
${label}</label>`;
}

type Given = Pick<FilterFormOptions, 'state' | 'faults'>;

function filterField(
  spec: ListSpec,
  { language }: Visit,
  filter: ListFilter,
  { state, faults }: Given,
): string {
  const { name, form, options = [], usual, isSorted } = filter;
  const { text } = spec.words(language);
  const word = (value: string) => optionWord(spec, language, filter, value);
  const label = text(`filter.${name}`);
  const values = state.values.get(name) ?? [];
  const code = faults.find((each) => each.field === name)?.code;
  const isChoice = form === 'choice' || form === 'choices';
  const fault = code && faultText(language, code, isChoice ? 'choice' : form);
  if (form === 'choices') {
    const boxes = options.map((value) =>
      choice(name, value, word(value), values.includes(value) ? ' checked' : ''),
    );
    return html`<fieldset class="field choices!${fault ? ' bad' : ''}"><legend>${label}</legend>
!${fault ? html`<span class="fault">${fault}</span>` : ''}!${boxes.join('')}</fieldset>`;
  }
  const shown = { faults: { [name]: fault } };
  if (form === 'choice') {
    const titled = options.map((value) => [value, word(value)] as const);
    if (isSorted) titled.sort(([, one], [, other]) => one.localeCompare(other, language));
    const choices = usual === undefined ? [['', text('any')] as const, ...titled] : titled;
    const value = values[0] ?? usual;
    return renderField({ name, kind: 'choice', label, value, options: inHtml(choices) }, shown);
  }
  const maxLength = form === 'id' ? ID_LENGTH : filter.maxLength;
  const kind = INPUT_TYPES[form] ?? 'text';
  return renderField({ name, kind, label, value: values[0], maxLength }, shown);
}

function dayFields(
  { words }: ListSpec,
  { language, timeZone }: Visit,
  { names: [first, last], datesIn }: DayFilter,
  { state, faults }: Given,
): string {
  const { text } = words(language);
  const field = (kind: FieldKind, name: string, label: string, options: readonly Option[] = []) => {
    const code = faults.find((each) => each.field === name)?.code;
    const form = name === 'zone' ? 'zone' : name === 'period' ? 'choice' : 'day';
    const fault = code && faultText(language, code, form);
    const value = state.values.get(name)?.[0];
    return renderField({ name, kind, label, value, options }, { faults: { [name]: fault } });
  };
  const periods = Object.keys(PERIODS).map((name) => [name, text(`period.${name}`)] as const);
  const spans = inHtml([['', text('any')], ...periods]);
  const zone = state.values.has('zone') ? field('text', 'zone', text('zone')) : '';
  return html`<fieldset class="days"><legend>${text('days')}</legend>
<span class="hint">${text('daysHint', { zone: datesIn ?? timeZone })}</span>
<div class="list-filters">!${field('choice', 'period', text('period'), spans)}
!${field('date', first, text('from'))}!${field('date', last, text('to'))}!${zone}</div></fieldset>`;
}

/** Options whose words are plain text. */
function inHtml(options: readonly (readonly [value: string, word: string])[]): readonly Option[] {
  return options.map(([value, word]) => [value, html`${word}`]);
}

/** More values would fill a phone's width; the form has them all. */
const MOST_NAMED = 3;

/** The filters in use, each with a link to the list without it; nothing where no filter is set. */
export function activeFilters(
  spec: ListSpec,
  { language }: Visit,
  address: string,
  state: ListState,
  /** The names of things whose ids are values. */
  names: ReadonlyMap<string, string>,
): string {
  const chosen = chosenFilters(spec, state);
  if (chosen.length === 0) return '';
  const { text, rich } = spec.words(language);
  const items = chosen.map(([parameter, values]) => {
    const shown = values.map((value) => names.get(value) ?? value);
    const [name, value] = wordsOf(spec, language, parameter, shown);
    const query = queryOf(state, { without: [parameter] });
    return html`<li><span>!${rich('chip', { name, value })}</span>
<a href="${address}${query && `?${query}`}" aria-label="${text('remove', { name })}">×</a></li>`;
  });
  return html`<ul class="chips" aria-label="${text('active')}">!${items.join('')}</ul>`;
}

/** The filters in use: an order takes no row away, and the name of a tab says what it does. */
function chosenFilters(spec: ListSpec, state: ListState) {
  const isSorted = Object.values(spec.columns).some(({ order }) => order);
  const isFilter = ([name]: [string, unknown]) => !(isSorted && name === 'order');
  return isTab(spec, state) ? [] : [...state.values].filter(isFilter);
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
  if (day >= 0) {
    const shown = isDay(first) ? shownDate(language, first, 'medium') : first;
    return [text(day === 0 ? 'from' : 'to'), shown];
  }
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
