import { html } from 'ghtml';
import { findNamedMerchant, namesOfMerchants } from '#merchants/find-named-merchant.ts';
import { type ListColumns, link } from './columns.ts';
import type { ListFilter, ListRows, ListSpec } from './list-spec.ts';

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

/** Operators' filter by a merchant, whose chip has its name. */
export const MERCHANT_FILTER: ListFilter = {
  name: 'merchant',
  form: 'text',
  maxLength: 100,
  nameOf: async (db, id) => (await findNamedMerchant(db, id))?.name,
};

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
