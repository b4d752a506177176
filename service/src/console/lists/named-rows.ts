import { html } from 'ghtml';
import { namesOfMerchants } from '#merchants/find-named-merchant.ts';
import { link } from './columns.ts';
import type { ListRows } from './list-spec.ts';

/** A row with the name of its merchant; left out: it has none, or it is read for its merchant. */
export type Named<Row> = Row & { readonly merchantName?: string | undefined };

/** Gives the rows of a page the names of their merchants, for operators. */
export function namedRows<Row extends { readonly merchantId: string | null }>(
  rows: ListRows<Row>,
): ListRows<Named<Row>> {
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
