import type { FastifyRequest } from 'fastify';
import { html } from 'ghtml';
import { emptyState, pager } from '#console/components/parts.ts';
import { table } from '#console/components/table.ts';
import { listViews, type SavedView } from '#console/saved-views/saved-views.ts';
import { pageHead } from '#console/shell/page-head.ts';
import type { ConsoleAnswer, Visit } from '#console/shell/visit.ts';
import type { Executor } from '#database/database.ts';
import { readPrimary } from '#database/replica/overview-reads.ts';
import type { Page } from '#lib/cursor.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import { actsColumn, renderActs } from './acts.ts';
import type { ListColumn } from './columns.ts';
import { activeFilters, filterForm } from './filter-form.ts';
import type { ListFault, ListFrame, ListParameters, ListSpec, TabCounts } from './list-spec.ts';
import {
  callParameters,
  isTab,
  isUntidy,
  type ListState,
  placeOf,
  queryOf,
  readListState,
} from './list-state.ts';
import { lastCame } from './live-lists.ts';
import { schemaFaultsOf } from './schema-faults-of.ts';
import { viewBar } from './views/view-bar.ts';

/** A refusal of parameters, by the status of a form with faults. */
const UNPROCESSABLE = 422;

interface Found {
  /** null: the filters have faults. */
  readonly page: Page<unknown> | null;
  readonly faults: readonly ListFault[];
  /** Whether the cursor was refused, and this is the first page instead. */
  readonly isMoved: boolean;
}

/** The page of a list, by the choices in its address. */
export async function listPage(
  spec: ListSpec,
  deps: { readonly db: Executor },
  visit: Visit,
  request: FastifyRequest,
): Promise<ConsoleAnswer> {
  const address = addressOf(spec, visit);
  const state = readListState(spec, visit.query);
  if (!spec.isLenient && isUntidy(spec, visit.query, state)) {
    return { to: withQuery(address, queryOf(state, { cursor: state.cursor })) };
  }
  const frame = (await spec.frame?.(visit)) ?? {};
  const { reads = readPrimary(deps.db), tabs } = spec;
  // Before the rows, and from where they come: newer rows are only announced again.
  const last = (from: Executor) => lastCame(spec, from, visit.merchant?.id ?? null);
  const live =
    state.cursor === null &&
    spec.cameAt !== undefined &&
    `${address}/live?seen=${(await reads.read(last)).result}`;
  const found = await read(spec, deps, visit, request, state);
  const views = await listViews(deps.db, ownerOf(visit), spec.name);
  const count = tabs?.count;
  const counts = count ? (await reads.read((from) => count(from, visit))).result : frame.counts;
  const { text } = spec.words(visit.language);
  const names = found.page ? await namesIn(spec, deps.db, visit, state) : new Map();
  const asked = callParameters(spec, state, visit).parameters;
  const summary = found.page ? await spec.summary?.(deps.db, visit, asked) : '';
  return {
    title: text('title'),
    body: bodyOf(spec, visit, {
      address,
      state,
      found,
      views,
      counts,
      frame,
      live,
      names,
      summary,
    }),
    ...(live && { scripts: ['console-live'] }),
    ...(found.page === null && { status: UNPROCESSABLE }),
    ...(found.isMoved && { notice: text('moved') }),
  };
}

/** The names of the things that filters name by their ids. */
async function namesIn({ filters }: ListSpec, db: Executor, visit: Visit, { values }: ListState) {
  const names = new Map<string, string>();
  for (const { name, nameOf } of filters) {
    const [id] = values.get(name) ?? [];
    const found = id && (await nameOf?.(db, id, visit));
    if (found) names.set(id, found);
  }
  return names;
}

/** The list's own path, without parameters. */
export function addressOf({ path }: ListSpec, { params }: Visit): string {
  return `/console${path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')}`;
}

export function ownerOf({ viewer, merchant }: Visit) {
  return { issuer: viewer.issuer, subject: viewer.subject, merchantId: merchant?.id ?? null };
}

function withQuery(address: string, query: string): string {
  return query === '' ? address : `${address}?${query}`;
}

/** Reads the page, or the faults of its filters. A cursor of other filters gives the first page. */
async function read(
  spec: ListSpec,
  { db }: { readonly db: Executor },
  visit: Visit,
  request: FastifyRequest,
  state: ListState,
): Promise<Found> {
  const { cursor } = state;
  const { parameters, faults } = callParameters(spec, state, visit);
  const owner = visit.merchant?.id ?? null;
  const found = schemaFaults(spec, request, parameters);
  const ask = async (query: ListParameters) => {
    if (spec.readPage) return (await spec.readPage(`${owner}`, query, found)).result;
    const { reads = readPrimary(db), rows } = spec;
    return (await reads.read((from) => rows.readPage(from, owner, query, found))).result;
  };
  try {
    const page = await ask(cursor === null ? parameters : { ...parameters, cursor });
    return { page: faults.length === 0 ? page : null, faults, isMoved: false };
  } catch (error) {
    const found = faultsOf(error).map((fault) => placeOf(spec, fault));
    if (found.every(({ field }) => field === 'cursor') && faults.length === 0) {
      return { page: await ask(parameters), faults, isMoved: true };
    }
    return { page: null, faults: [...faults, ...found], isMoved: false };
  }
}

/** The faults of the parameters by the schema of the call that lists. */
export function schemaFaults(
  { rows: { schema } }: ListSpec,
  request: FastifyRequest,
  parameters: ListParameters,
): readonly FieldFault[] {
  return schema ? schemaFaultsOf(request, schema, parameters) : [];
}

/** @throws the error, unless it is a refusal of parameters */
function faultsOf(error: unknown): Problem['errors'] {
  if (error instanceof Problem && error.code === 'VALIDATION_ERROR') return error.errors;
  throw error;
}

interface Shown {
  readonly address: string;
  readonly state: ListState;
  readonly found: Found;
  readonly views: readonly SavedView[];
  /** The numbers of the list's tabs. */
  readonly counts: TabCounts | undefined;
  readonly frame: ListFrame;
  readonly live: string | false;
  readonly names: ReadonlyMap<string, string>;
  /** The line about all rows that match, as HTML. */
  readonly summary: string | undefined;
}

function bodyOf(spec: ListSpec, visit: Visit, shown: Shown): string {
  const { address, state, found, views, counts, frame } = shown;
  const { text } = spec.words(visit.language);
  const file = withQuery(`${address}.csv`, queryOf(state));
  const csv = found.page?.data.length
    ? html`<a class="button quiet" href="${file}" download>${text('csv')}</a>`
    : '';
  const head = {
    title: text('title'),
    ...(spec.lead && { under: html`${text(spec.lead)}` }),
  };
  if (frame.instead) return (frame.before ?? pageHead(head)) + frame.instead;
  const acts = csv + renderActs(visit, text, spec.acts ?? [], undefined);
  const top = frame.heading ? frame.heading + actionBar(acts) : pageHead({ ...head, acts });
  return html`!${frame.before ?? ''}!${top}
!${frame.intro ?? ''}!${viewBar(spec, visit, { address, state, saved: views, counts })}
!${filterForm(spec, visit, { address, state, faults: found.faults })}
!${activeFilters(spec, visit, address, state, shown.names)}
!${found.page === null ? emptyState(text('faulty')) : followed(spec, visit, shown, found.page)}
<p class="small keys" hidden><a data-shortcuts-page href="/console/shortcuts">${text('keys')}</a>
</p>`;
}

function actionBar(acts: string): string {
  return acts && `<p class="actions">${acts}</p>`;
}

/** The rows, with the place where the page script says that there are new ones. */
function followed(spec: ListSpec, visit: Visit, shown: Shown, page: Page<unknown>): string {
  const rows = rowsOf(spec, visit, shown, page);
  if (!shown.live) return rows;
  const { text } = spec.words(visit.language);
  return html`<div role="status" id="new-rows" data-one="${text('newRow')}"
 data-more="${text('newRows')}"></div><div data-live="${shown.live}">!${rows}</div>`;
}

function rowsOf(
  spec: ListSpec,
  visit: Visit,
  { address, state, summary }: Shown,
  { data, nextCursor }: Page<unknown>,
): string {
  const { text } = spec.words(visit.language);
  if (data.length === 0 && state.values.size === 0 && state.cursor === null) {
    const next = html`<p>${text('emptyNext')}</p>`;
    return emptyState(
      text('empty'),
      next + renderActs(visit, text, spec.emptyActs ?? [], undefined),
    );
  }
  if (data.length === 0 && isTab(spec, state)) return emptyState(text('emptyTab'));
  if (data.length === 0) {
    const clear = html`<p><a class="button quiet" href="${address}">${text('clear')}</a></p>`;
    return emptyState(text('nothing'), html`<p>${text('nothingNext')}</p>` + clear);
  }
  const pages = pager({
    firstHref: withQuery(address, queryOf(state)),
    nextCursor,
    isFirst: state.cursor === null,
    labels: { first: text('newest'), next: text('next'), name: text('pages') },
  });
  const sortHref = (order: string) => {
    const [present = 'created'] = state.values.get('order') ?? [];
    if (order === present) return null;
    const values = new Map([...state.values, ['order', [order]] as const]);
    return withQuery(address, queryOf({ ...state, values }));
  };
  const line = summary ? `<p class="summary">${summary}</p>` : '';
  return line + listTable(spec, visit, state.columns, data, sortHref) + pages;
}

/** The rows of a list with these of its columns; each row is a link. */
export function listTable<Row>(
  spec: Pick<ListSpec<Row>, 'columns' | 'words' | 'rowAddress' | 'rowName' | 'rowActs'>,
  visit: Visit,
  names: readonly string[],
  rows: readonly Row[],
  sortHref: (order: string) => string | null = () => null,
): string {
  const { text } = spec.words(visit.language);
  const shown = Object.entries(spec.columns).filter(([name]) => names.includes(name));
  const columns = shown.map(([name, { isNumber, order, cell }], index) => ({
    title: text(`column.${name}`),
    cell: (row: Row) => (index > 0 ? cell(row, visit) : linked(spec, visit, row, [name, cell])),
    ...(isNumber && { isMoney: isNumber }),
    ...(order && { sortHref: sortHref(order) }),
    ...(index === 0 && { isRowHeader: true as const }),
  }));
  const acts = actsColumn(visit, text, () => text('column.acts'), spec.rowActs ?? []);
  return html`<div class="list-rows">!${table(text('title'), [...columns, ...acts], rows)}</div>`;
}

/** The first cell leads to the row's page: by the pointer, by Tab and by the list's shortcuts. */
function linked<Row>(
  { rowAddress, rowName, columns }: Pick<ListSpec<Row>, 'rowAddress' | 'rowName' | 'columns'>,
  visit: Visit,
  row: Row,
  [name, cell]: readonly [string, ListColumn<Row>['cell']],
): string {
  const address = rowAddress?.(row, visit) ?? null;
  const inner = cell(row, visit);
  if (address === null) return inner;
  const isMain = rowName && name === Object.keys(columns)[0];
  const more = isMain ? html`<span class="unseen">, ${rowName(row, visit)}</span>` : '';
  return html`<a class="row" href="${address}">!${inner}!${more}</a>`;
}
