import type { Executor } from '#database/database.ts';
import type { CsvForm } from '#lib/csv.ts';
import type { Page } from '#lib/cursor.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { ListParameters, ListRows } from './list-spec.ts';

/** The parameters of a page: `limit`, `cursor` behind the first page, and the filters. */
type PageQuery = Partial<ListParameters>;

/** The rows of a list that a use case gives page by page. */
export function pagedRows<Row>(
  name: string,
  csv: CsvForm<Row>,
  read: (db: Executor, merchantId: string | null, query: PageQuery) => Promise<Page<Row>>,
): ListRows<Row> {
  return {
    name,
    csv,
    async readPage(db, merchantId, query, faults) {
      throwFaults(faults);
      return read(db, merchantId, query);
    },
    readAll(merchantId, query, faults) {
      throwFaults(faults);
      let cursor: string | null | undefined;
      return {
        async next(db, _last, limit) {
          if (cursor === null) return [];
          const page = await read(db, merchantId, { ...query, limit, ...(cursor && { cursor }) });
          cursor = page.nextCursor;
          return page.data;
        },
      };
    },
  };
}

/** The text of a parameter; null: it is not given. */
export function textIn(query: PageQuery, name: string): string | null {
  const value = query[name];
  return typeof value === 'string' ? value : null;
}

/** The instant of a parameter; null: it is not given. */
export function instantIn(query: PageQuery, name: string): Date | null {
  const text = textIn(query, name);
  return text === null ? null : new Date(text);
}
