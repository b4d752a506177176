import type { FastifyRequest } from 'fastify';
import { html } from 'ghtml';
import { emptyState } from '#console/components/empty-state.ts';
import { pager } from '#console/components/pager.ts';
import { table } from '#console/components/table.ts';
import { listViews, type SavedView } from '#console/saved-views/saved-views.ts';
import type { ConsoleAnswer, Visit } from '#console/shell/visit.ts';
import type { Executor } from '#database/database.ts';
import type { Page } from '#lib/cursor.ts';
import { Problem } from '#lib/problem.ts';
import { activeFilters } from './active-filters.ts';
import { filterForm } from './filter-form.ts';
import type { ListFault, ListSpec } from './list-spec.ts';
import {
  callParameters,
  isUntidy,
  type ListState,
  placeOf,
  queryOf,
  readListState,
} from './list-state.ts';
import { LIST_TEXTS } from './texts.ts';
import { viewBar } from './views/view-bar.ts';

/** A refusal of parameters, by the status of a form with faults. */
const UNPROCESSABLE = 422;

interface Found<Row> {
  /** null: the filters have faults. */
  readonly page: Page<Row> | null;
  readonly faults: readonly ListFault[];
  /** Whether the cursor was refused, and this is the first page instead. */
  readonly isMoved: boolean;
}

/** The page of a list, by the choices in its address. */
export async function listPage<Row>(
  spec: ListSpec<Row>,
  { db }: { readonly db: Executor },
  visit: Visit,
  request: FastifyRequest,
): Promise<ConsoleAnswer> {
  const address = addressOf(spec, visit);
  const state = readListState(spec, visit.query);
  if (isUntidy(spec, visit.query, state)) {
    return { to: withQuery(address, queryOf(state, { cursor: state.cursor })) };
  }
  const found = await read(spec, visit, request, state);
  const views = spec.hasViews ? await listViews(db, ownerOf(visit), spec.name) : [];
  const { text } = LIST_TEXTS[visit.language];
  return {
    title: spec.words(visit.language)('title'),
    section: spec.section,
    body: bodyOf(spec, visit, { address, state, found, views }),
    ...(found.page === null && { status: UNPROCESSABLE }),
    ...(found.isMoved && { notice: text('moved') }),
  };
}

/** The list's own path, without parameters. */
export function addressOf<Row>({ path }: ListSpec<Row>, { params }: Visit): string {
  return `/console${path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')}`;
}

export function ownerOf({ viewer, merchantId }: Visit) {
  return { issuer: viewer.issuer, subject: viewer.subject, merchantId };
}

function withQuery(address: string, query: string): string {
  return query === '' ? address : `${address}?${query}`;
}

/** Reads the page, or the faults of its filters. A cursor of other filters gives the first page. */
async function read<Row>(
  spec: ListSpec<Row>,
  visit: Visit,
  request: FastifyRequest,
  { cursor, ...rest }: ListState,
): Promise<Found<Row>> {
  const state: ListState = { ...rest, cursor: null };
  const { parameters, faults } = callParameters(spec, state, visit);
  const ask = (more: object) => spec.read(visit, request, { ...parameters, ...more });
  try {
    const page = await ask(cursor === null ? {} : { cursor });
    if (faults.length === 0) return { page, faults, isMoved: false };
    return { page: null, faults, isMoved: false };
  } catch (error) {
    const found = faultsOf(error);
    if (found.every(({ field }) => field === 'cursor') && faults.length === 0) {
      return { page: await ask({}), faults, isMoved: true };
    }
    return { page: null, faults: [...faults, ...found.map(placeOf)], isMoved: false };
  }
}

/** @throws the error, unless it is a refusal of parameters */
function faultsOf(error: unknown): Problem['errors'] {
  if (error instanceof Problem && error.code === 'VALIDATION_ERROR') return error.errors;
  throw error;
}

interface Shown<Row> {
  readonly address: string;
  readonly state: ListState;
  readonly found: Found<Row>;
  readonly views: readonly SavedView[];
}

function bodyOf<Row>(spec: ListSpec<Row>, visit: Visit, shown: Shown<Row>): string {
  const { address, state, found, views } = shown;
  const { text } = LIST_TEXTS[visit.language];
  const word = spec.words(visit.language);
  const file = withQuery(`${address}.csv`, queryOf(state));
  const csv = found.page?.data.length
    ? html`<a class="button quiet" href="${file}" download>${text('csv')}</a>`
    : '';
  return html`<div class="list-head"><h1>${word('title')}</h1>
<div class="actions">!${spec.actions?.(visit) ?? ''}!${csv}</div></div>
!${spec.hasViews ? viewBar(spec, visit, address, state, views) : ''}
!${filterForm(spec, visit, { address, state, faults: found.faults })}
!${activeFilters(spec, visit, address, state)}
!${found.page === null ? emptyState(text('faulty')) : rowsOf(spec, visit, shown, found.page)}
<p class="small keys" hidden><a data-shortcuts-page href="/console/shortcuts">${text('keys')}</a>
</p>`;
}

function rowsOf<Row>(
  spec: ListSpec<Row>,
  visit: Visit,
  { address, state }: Shown<Row>,
  { data, nextCursor }: Page<Row>,
): string {
  const { text } = LIST_TEXTS[visit.language];
  const word = spec.words(visit.language);
  if (data.length === 0 && state.values.size === 0 && state.cursor === null) {
    return emptyState(word('empty'), html`<p>${word('emptyNext')}</p>` + emptyActions(spec, visit));
  }
  if (data.length === 0) {
    const clear = html`<p><a class="button quiet" href="${address}">${text('clear')}</a></p>`;
    return emptyState(text('nothing'), html`<p>${text('nothingNext')}</p>` + clear);
  }
  const shown = spec.columns.filter(({ name }) => state.columns.includes(name));
  const columns = shown.map(({ name, isNumber, cell }, index) => ({
    title: word(`column.${name}`),
    cell: (row: Row) => (index > 0 ? cell(row, visit) : linked(spec, visit, row, cell(row, visit))),
    ...(isNumber && { isMoney: isNumber }),
    ...(index === 0 && { isRowHeader: true as const }),
  }));
  const pages = pager({
    firstHref: withQuery(address, queryOf(state)),
    nextCursor,
    isFirst: state.cursor === null,
    labels: { first: text('newest'), next: text('next'), name: text('pages') },
  });
  return html`<div class="list-rows">!${table(word('title'), columns, data)}</div>!${pages}`;
}

function emptyActions<Row>({ emptyActions }: ListSpec<Row>, visit: Visit): string {
  return emptyActions?.(visit) ?? '';
}

/** The first cell leads to the row's page: by the pointer, by Tab and by the list's shortcuts. */
function linked<Row>(spec: ListSpec<Row>, visit: Visit, row: Row, cell: string): string {
  const address = spec.rowAddress(row, visit);
  return address === null ? cell : html`<a class="row" href="${address}">!${cell}</a>`;
}
