import { readTypedAmount } from '#console/model/typed-amount.ts';
import type { ListFault, ListFilter, ListParameters, ListSpec } from './list-spec.ts';
import { endOfDay, firstDayOf, isDay, isPeriod, startOfDay } from './model/days.ts';

/** Rows of a page: some two screens. */
const PAGE_ROWS = 25;
/** The parameters of the days; the call that lists has `createdFrom` and `createdTo` for them. */
export const DAY_PARAMETERS = ['period', 'from', 'to'] as const;
const COLUMNS = 'columns';
const CURSOR = 'cursor';

type Described = Pick<ListSpec<never>, 'filters' | 'hasDays' | 'columns'>;

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
    if (set.length > 0) values.set(name, set);
  }
  // Days that are typed replace a period.
  if (values.has('from') || values.has('to')) values.delete('period');
  const asked = new Set(query.getAll(COLUMNS));
  const known = spec.columns.filter(({ name }) => asked.has(name));
  const usual = spec.columns.filter(({ isUsual }) => isUsual);
  const columns = (known.length > 0 ? known : usual).map(({ name }) => name);
  const hasUsualColumns = columns.join() === usual.map(({ name }) => name).join();
  return { values, columns, hasUsualColumns, cursor: query.get(CURSOR) || null };
}

export function parametersOf({ filters, hasDays }: Described): string[] {
  return [...filters.map(({ name }) => name), ...(hasDays ? DAY_PARAMETERS : [])];
}

export interface Kept {
  /** The place in the list; left out: the first page. */
  readonly cursor?: string | null;
  /** Parameters to leave out. */
  readonly without?: readonly string[];
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
  const given = [...query].filter(([name]) => own.has(name));
  const tidy = new URLSearchParams(queryOf(state, { cursor: state.cursor }));
  return given.length !== [...tidy].length;
}

/**
 * The parameters for the call that lists, and the faults that only the console can find: days, and
 * a period.
 */
export function callParameters(
  spec: Described,
  state: ListState,
  { now, timeZone }: { readonly now: Date; readonly timeZone: string },
): { readonly parameters: ListParameters; readonly faults: readonly ListFault[] } {
  const parameters: Record<string, string | number | readonly string[]> = {};
  for (const { name, form } of spec.filters) {
    const values = state.values.get(name);
    if (!values) continue;
    const [first = ''] = values;
    if (form === 'choices') parameters[name] = values;
    else parameters[name] = form === 'amount' ? readTypedAmount(first) : first;
  }
  const faults: ListFault[] = [];
  const [period, from, to] = DAY_PARAMETERS.map((name) => state.values.get(name)?.[0]);
  if (period !== undefined && !isPeriod(period)) faults.push(wrong('period', 'INVALID_VALUE'));
  else if (period) parameters.createdFrom = startOfDay(firstDayOf(period, now, timeZone), timeZone);
  if (from !== undefined && !isDay(from)) faults.push(wrong('from', 'INVALID_FORMAT'));
  else if (from) parameters.createdFrom = startOfDay(from, timeZone);
  if (to !== undefined && !isDay(to)) faults.push(wrong('to', 'INVALID_FORMAT'));
  else if (to) parameters.createdTo = endOfDay(to, timeZone);
  return { parameters: { ...parameters, limit: PAGE_ROWS }, faults };
}

/** The place in the form of a fault that the call found. */
export function placeOf({ field, code }: ListFault): ListFault {
  if (field === 'createdFrom') return wrong('from', code);
  return field === 'createdTo' ? wrong('to', code) : wrong(field, code);
}

function wrong(field: string, code: ListFault['code']): ListFault {
  return { field, code };
}
