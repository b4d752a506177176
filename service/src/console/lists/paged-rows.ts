import type { Executor } from '#database/database.ts';
import type { CsvForm } from '#lib/csv.ts';
import type { Page } from '#lib/cursor.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { ListParameters, ListRows } from './list-spec.ts';

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
