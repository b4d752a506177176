import { html } from 'ghtml';
import { choiceField } from '#console/components/choice-field.ts';
import { textField } from '#console/components/form.ts';
import type { Visit } from '#console/shell/visit.ts';
import { faultText } from './fault-text.ts';
import type { FilterForm, ListFault, ListFilter, ListSpec } from './list-spec.ts';
import { DAY_PARAMETERS, type ListState } from './list-state.ts';
import { PERIODS } from './model/days.ts';
import { LIST_TEXTS } from './texts.ts';

/** Pages describe fields by these types of input; the server alone validates. */
const INPUT_TYPES: Readonly<Partial<Record<FilterForm, string>>> = { email: 'email', phone: 'tel' };

export interface FilterFormOptions {
  /** The list's own address, without parameters. */
  readonly address: string;
  readonly state: ListState;
  readonly faults: readonly ListFault[];
}

/** The form of a list's filters and columns: a plain GET form, so that its address can be kept. */
export function filterForm<Row>(
  spec: ListSpec<Row>,
  visit: Visit,
  { address, state, faults }: FilterFormOptions,
): string {
  const { text } = LIST_TEXTS[visit.language];
  const fields = spec.filters.map((filter) => filterField(spec, visit, filter, { state, faults }));
  if (spec.hasDays) fields.push(dayFields(visit, state, faults));
  const set = state.values.size;
  const title = set === 0 ? text('filters') : text('filtersSet', { count: set });
  const clear = set === 0 ? '' : html`<a href="${address}">${text('clear')}</a>`;
  return html`<form class="list-form" method="get" action="${address}" novalidate>
<details!${faults.length > 0 ? ' open' : ''} id="filters"><summary>${title}</summary>
<div class="list-filters">!${fields.join('')}</div>
!${buttons(text('show'), clear)}</details>
<details><summary>${text('columns')}</summary>
<fieldset class="choices"><legend class="unseen">${text('columns')}</legend>
!${columnChoices(spec, visit, state)}</fieldset>!${buttons(text('show'))}</details></form>`;
}

function buttons(show: string, more = ''): string {
  return html`<p class="actions"><button class="button">${show}</button>!${more}</p>`;
}

function columnChoices<Row>(
  { columns, words }: ListSpec<Row>,
  { language }: Visit,
  { columns: shown }: ListState,
): string {
  const word = words(language);
  return columns
    .map(({ name }) =>
      choice('columns', name, word(`column.${name}`), shown.includes(name) ? ' checked' : ''),
    )
    .join('');
}

function choice(name: string, value: string, label: string, mark: string): string {
  return html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"!${mark}>
${label}</label>`;
}

function filterField<Row>(
  { words }: ListSpec<Row>,
  { language }: Visit,
  { name, form, options = [], maxLength }: ListFilter,
  { state, faults }: Pick<FilterFormOptions, 'state' | 'faults'>,
): string {
  const word = words(language);
  const label = word(`filter.${name}`);
  const values = state.values.get(name) ?? [];
  const code = faults.find((each) => each.field === name)?.code;
  const isChoice = form === 'choice' || form === 'choices';
  const fault = code && faultText(language, code, isChoice ? 'choice' : form);
  if (form === 'choices') {
    const boxes = options.map((value) =>
      choice(name, value, word(`option.${value}`), values.includes(value) ? ' checked' : ''),
    );
    return html`<fieldset class="field choices!${fault ? ' bad' : ''}"><legend>${label}</legend>
!${fault ? html`<span class="fault">${fault}</span>` : ''}!${boxes.join('')}</fieldset>`;
  }
  if (form === 'choice') {
    const any = LIST_TEXTS[language].text('any');
    const titled = options.map((value) => [value, word(`option.${value}`)] as const);
    return choiceField({
      name,
      label,
      value: values[0] ?? '',
      choices: [['', any], ...titled],
      fault,
    });
  }
  return textField({
    name,
    label,
    value: values[0] ?? '',
    type: INPUT_TYPES[form] ?? 'text',
    fault,
    ...(maxLength !== undefined && { maxLength }),
  });
}

function dayFields(
  { language, timeZone }: Visit,
  state: ListState,
  faults: readonly ListFault[],
): string {
  const { text } = LIST_TEXTS[language];
  const faultOf = (name: string) => {
    const code = faults.find((each) => each.field === name)?.code;
    return code && faultText(language, code, name === 'period' ? 'choice' : 'day');
  };
  const [period, from, to] = DAY_PARAMETERS.map((name) => state.values.get(name)?.[0] ?? '');
  const periods = (Object.keys(PERIODS) as (keyof typeof PERIODS)[]).map(
    (name) => [name, text(`period.${name}`)] as const,
  );
  const day = (name: 'from' | 'to', value = '') =>
    textField({ name, label: text(name), value, type: 'date', fault: faultOf(name) });
  return html`<fieldset class="days"><legend>${text('days')}</legend>
<span class="hint">${text('daysHint', { zone: timeZone })}</span>
<div class="list-filters">!${choiceField({
    name: 'period',
    label: text('period'),
    value: period ?? '',
    choices: [['', text('any')], ...periods],
    fault: faultOf('period'),
  })}!${day('from', from)}!${day('to', to)}</div></fieldset>`;
}
