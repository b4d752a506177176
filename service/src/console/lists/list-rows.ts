import { html } from 'ghtml';
import type { Executor } from '#database/database.ts';
import type { CsvForm } from '#lib/csv.ts';
import type { Page } from '#lib/cursor.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { namesOfMerchants } from '#merchants/find-named-merchant.ts';
import { type NamedRequest, readNames } from '#payment-requests/lookup/search-payment-requests.ts';
import { type ListColumns, link, text } from './columns.ts';
import type { ListFilter, ListParameters, ListRows, ListSpec } from './list-spec.ts';

/** The page that a list asks for. */
export interface AskedPage {
  /** null: the first page. */
  readonly cursor: string | null;
  readonly limit: number;
  /** The text of a filter, or of a part of the path; null: it is not given. */
  filter(name: string): string | null;
}

/** The rows of a list that a use case gives page by page. */
export function pagedRows<Row>(
  name: string,
  csv: CsvForm<Row>,
  read: (db: Executor, merchantId: string | null, asked: AskedPage) => Promise<Page<Row>>,
): ListRows<Row> {
  return {
    name,
    csv,
    async readPage(db, merchantId, query, faults) {
      throwFaults(faults);
      return read(db, merchantId, askedPage(query));
    },
    readAll(merchantId, query, faults) {
      throwFaults(faults);
      let cursor: string | null | undefined;
      return {
        async next(db, _last, limit) {
          if (cursor === null) return [];
          const asked = askedPage({ ...query, limit, ...(cursor && { cursor }) });
          const page = await read(db, merchantId, asked);
          cursor = page.nextCursor;
          return page.data;
        },
      };
    },
  };
}

function askedPage(query: Partial<ListParameters>): AskedPage {
  const filter = (name: string) => {
    const value = query[name];
    return typeof value === 'string' ? value : null;
  };
  return { cursor: filter('cursor'), limit: Number(query.limit), filter };
}

/** A row with the name of its merchant; left out: it has none, or it is read for its merchant. */
export type Named<Row> = Row & { readonly merchantName?: string | undefined };

/**
 * Gives the rows of a page the names of their merchants, for operators. The forms of the filters
 * check the parameters.
 */
export function namedRows<Row extends { readonly merchantId: string | null }>({
  schema: _,
  ...rows
}: ListRows<Row>): ListRows<Named<Row>> {
  return {
    ...rows,
    async readPage(db, owner, query, faults) {
      const page = await rows.readPage(db, owner, query, faults);
      if (owner !== null) return page;
      const names = await namesOfMerchants(
        db,
        page.data.map(({ merchantId }) => merchantId),
      );
      const named = (row: Row) => ({ ...row, merchantName: names.get(row.merchantId ?? '') });
      return { ...page, data: page.data.map(named) };
    },
  };
}

/** The merchant of a row, as a link to a page about it. @param pathOf below `/console` */
export const merchantLink = (pathOf: (merchantId: string) => string) =>
  link(
    ({ merchantId: id, merchantName }: Named<{ readonly merchantId: string | null }>) =>
      id && ([`/console${pathOf(id)}`, html`${merchantName ?? id}`] as const),
  );

interface InBothScopes<Row> extends Omit<ListSpec<Row>, 'path' | 'action' | 'columns' | 'lead'> {
  readonly section: 'cases' | 'messages';
  /** The last part of both paths. */
  readonly part: string;
  /** The columns before that of the merchant, and behind it. */
  readonly columns: readonly [first: ListColumns<Row>, rest: ListColumns<Row>];
  /** Filters that operators have beside the others. */
  readonly more?: readonly ListFilter[];
}

/** A list of a merchant, and that of all merchants, whose rows name their merchants. */
export function inBothScopes<Row extends Named<{ readonly merchantId: string | null }>>({
  section,
  part,
  columns: [first, rest],
  more = [],
  ...shared
}: InBothScopes<Row>): readonly [ListSpec<Row>, ListSpec<Row>] {
  const merchant = merchantLink((of) => `/m/${of}/${part}`);
  return [
    {
      ...{ ...shared, path: `/m/:merchant/${part}`, action: `${section}.read` },
      columns: { ...first, ...rest },
      lead: 'leadOwn',
    },
    {
      ...{ ...shared, path: `/operator/${part}`, action: `operator.${section}.read` },
      columns: { ...first, merchant, ...rest },
      filters: [...shared.filters, ...more],
      usual: shared.usual + 1,
      lead: 'lead',
    },
  ];
}

/** A row with the payment request that it is about; left out: it is about none. */
export type OfRequest<Row> = Row & { readonly request?: NamedRequest | undefined };

/** Columns by which people know a payment request, where an id says nothing to them. */
export const PEOPLE = {
  payer: text(({ request }: OfRequest<unknown>) => request?.payer.name ?? null),
  invoiceNumber: text(({ request }: OfRequest<unknown>) => request?.invoiceNumber ?? null),
};

/** Gives rows their payment requests. @param owner null: those of all merchants */
export async function rowsOfRequests<Row extends object>(
  db: Executor,
  owner: string | null,
  rows: readonly Row[],
  idOf: (row: Row) => string | null,
): Promise<OfRequest<Row>[]> {
  const ids = new Set(rows.map(idOf).filter((id) => id !== null));
  const names = await readNames(db, [...ids]);
  return rows.map((row) => {
    const request = names.get(idOf(row) ?? '');
    return { ...row, ...((owner ?? request?.merchantId) === request?.merchantId && { request }) };
  });
}

/** Gives the rows of each page their payment requests; the file has the ids. */
export function withRequests<Row extends object>(
  rows: ListRows<Row>,
  idOf: (row: Row) => string | null,
): ListRows<OfRequest<Row>> {
  return {
    ...rows,
    async readPage(db, owner, query, faults) {
      const page = await rows.readPage(db, owner, query, faults);
      return { ...page, data: await rowsOfRequests(db, owner, page.data, idOf) };
    },
  };
}
