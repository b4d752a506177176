import { readTypedAmount } from '#console/model/typed-amount.ts';
import type { Visit } from '#console/shell/visit.ts';
import { isId } from '#lib/new-id.ts';
import { timeZoneOf } from '#lib/zones/time-zone.ts';
import type { DayFilter, ListFault, ListFilter, ListParameters, ListSpec } from './list-spec.ts';
import { endOfDay, firstDayOf, isDay, isPeriod, startOfDay } from './model/days.ts';

/** Rows of a page: some two screens. */
const PAGE_ROWS = 25;
const PERIOD = 'period';
/** The zone of the days, where it is another than that of the person. */
const ZONE = 'zone';
const COLUMNS = 'columns';
const CURSOR = 'cursor';

type Described = Pick<ListSpec, 'filters' | 'days' | 'columns' | 'usual'>;

/** The choices in the address of a list. */
export interface ListState {
  /** The filters that are set, by parameter, in the order of the form; none is empty. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** The names of the columns shown, in the list's order. */
  readonly columns: readonly string[];
  readonly hasUsualColumns: boolean;
  /** null: the first page. */
  readonly cursor: string | null;
}

/** Reads the choices of an address; parameters that no list has are ignored. */
export function readListState(spec: Described, query: URLSearchParams): ListState {
  const values = new Map<string, readonly string[]>();
  for (const name of parametersOf(spec)) {
    const given = query.getAll(name).map((value) => value.trim());
    const set = [...new Set(given.filter((value) => value !== ''))];
    if (set.length > 0 && !isDefault(spec, name, set)) values.set(name, set);
  }
  // Days that are typed replace a period.
  if (spec.days?.names.some((name) => values.has(name))) values.delete(PERIOD);
  const asked = new Set(query.getAll(COLUMNS));
  const names = Object.keys(spec.columns);
  const known = names.filter((name) => asked.has(name));
  const usual = names.slice(0, spec.usual);
  const columns = known.length > 0 ? known : usual;
  const hasUsualColumns = columns.join() === usual.join();
  return { values, columns, hasUsualColumns, cursor: query.get(CURSOR) || null };
}

function parametersOf({ filters, days }: Described): string[] {
  return [
    ...filters.map(({ name }) => name),
    ...(days ? [PERIOD, ...days.names] : []),
    ...(days && !days.datesIn ? [ZONE] : []),
  ];
}

function isDefault({ filters }: Described, parameter: string, values: readonly string[]): boolean {
  const usual = filters.find(({ name }) => name === parameter)?.usual;
  return usual !== undefined && values.join() === usual;
}

export interface Kept {
  /** The place in the list; left out: the first page. */
  readonly cursor?: string | null;
  /** Parameters to leave out. */
  readonly without?: readonly string[];
}

/** Whether a tab of the list shows the same: its name says what the filters do. */
export function isTab({ tabs }: Pick<ListSpec, 'tabs'>, state: ListState): boolean {
  return Object.values(tabs?.queries ?? {}).includes(queryOf(state));
}

/** The parameters of an address for these choices: none is empty, none is the usual one. */
export function queryOf(state: ListState, { cursor = null, without = [] }: Kept = {}): string {
  const query = new URLSearchParams();
  for (const [name, values] of state.values) {
    if (!without.includes(name)) for (const value of values) query.append(name, value);
  }
  if (!state.hasUsualColumns) for (const name of state.columns) query.append(COLUMNS, name);
  if (cursor !== null) query.set(CURSOR, cursor);
  return query.toString();
}

/** The part of the choices that a saved view keeps: no place in the list, nothing of a payer. */
export function savedQueryOf(spec: Described, state: ListState): string {
  const isPrivate = ({ isPrivate }: ListFilter) => isPrivate === true;
  return queryOf(state, { without: spec.filters.filter(isPrivate).map(({ name }) => name) });
}

/** Whether an address has parameters that say nothing, as a form sends them. */
export function isUntidy(spec: Described, query: URLSearchParams, state: ListState): boolean {
  const own = new Set([...parametersOf(spec), COLUMNS, CURSOR]);
  const given = [...query].filter(
    ([name, value]) => own.has(name) && !isDefault(spec, name, [value]),
  );
  const tidy = new URLSearchParams(queryOf(state, { cursor: state.cursor }));
  return given.length !== [...tidy].length;
}

interface Called {
  readonly parameters: ListParameters;
  readonly faults: readonly ListFault[];
}

/** The parameters for the call that lists, and the faults that only the console can find. */
export function callParameters(
  spec: ListSpec,
  state: ListState,
  visit: Pick<Visit, 'now' | 'timeZone' | 'params'>,
): Called {
  // The thing whose list it is; the merchant is the list's owner.
  const { merchant: _, ...parameters }: Record<string, string | readonly string[]> = visit.params;
  const faults: ListFault[] = [];
  for (const filter of spec.filters) {
    const { name, form, parameter = name } = filter;
    const values = state.values.get(name);
    if (!values) continue;
    const [first = ''] = values;
    const isChecked = spec.rows.schema && !filter.parametersOf;
    const code = isChecked ? null : faultIn(filter, values);
    if (code) faults.push(wrong(name, code));
    else if (filter.parametersOf) Object.assign(parameters, filter.parametersOf(first, visit));
    else if (form === 'choices') parameters[parameter] = values;
    else parameters[parameter] = form === 'amount' ? readTypedAmount(first) : first;
  }
  const days = spec.days ? dayParameters(spec.days, state, visit) : NO_DAYS;
  return {
    parameters: { ...parameters, ...days.parameters, limit: spec.pageRows ?? PAGE_ROWS },
    faults: spec.isLenient ? [] : [...faults, ...days.faults],
  };
}

function faultIn(
  { form, options, maxLength = Infinity }: ListFilter,
  values: readonly string[],
): ListFault['code'] | null {
  if (options && !values.every((value) => options.includes(value))) return 'INVALID_VALUE';
  if (form === 'id' && !values.every(isId)) return 'INVALID_FORMAT';
  return values.some(({ length }) => length > maxLength) ? 'TOO_LONG' : null;
}

const NO_DAYS: Called = { parameters: {}, faults: [] };

function dayParameters(
  { names, parameters: [after, before], datesIn }: DayFilter,
  state: ListState,
  { now, timeZone: shownZone }: Pick<Visit, 'now' | 'timeZone'>,
): Called {
  const timeZone = datesIn ?? shownZone;
  const parameters: Record<string, string> = {};
  const faults: ListFault[] = [];
  const [period, from, to] = [PERIOD, ...names].map((name) => state.values.get(name)?.[0]);
  const set = (parameter: string, day: string, instantOf: typeof startOfDay) => {
    parameters[parameter] = datesIn ? day : instantOf(day, timeZone);
  };
  // The page is in this zone already, where it has a name.
  const zone = state.values.get(ZONE)?.[0];
  if (zone !== undefined && !timeZoneOf(zone)) faults.push(wrong(ZONE, 'INVALID_VALUE'));
  if (period !== undefined && !isPeriod(period)) faults.push(wrong(PERIOD, 'INVALID_VALUE'));
  else if (period) set(after, firstDayOf(period, now, timeZone), startOfDay);
  if (from !== undefined && !isDay(from)) faults.push(wrong(names[0], 'INVALID_FORMAT'));
  else if (from) set(after, from, startOfDay);
  if (to !== undefined && !isDay(to)) faults.push(wrong(names[1], 'INVALID_FORMAT'));
  else if (to) set(before, to, endOfDay);
  const isReversed = from && to && faults.length === 0 && to < from;
  return { parameters, faults: isReversed ? [wrong(names[1], 'INVALID_VALUE')] : faults };
}

/** The place in the form of a fault that the call found, by the names of the address. */
export function placeOf({ filters, days }: Described, fault: ListFault): ListFault {
  // A fault of a value of several names the place of the value too.
  const [field = ''] = fault.field.split('.');
  const { code } = fault;
  const filter = filters.find(({ parameter }) => parameter === field);
  const name = days?.names[days.parameters.indexOf(field)] ?? filter?.name ?? field;
  return wrong(name === 'after' ? CURSOR : name, code);
}

function wrong(field: string, code: ListFault['code']): ListFault {
  return { field, code };
}
