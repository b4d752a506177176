import type { Executor, Statement } from '#database/database.ts';
import type { TimePlace } from '#lib/cursor.ts';
import { COLUMNS, linkMessage } from '#payment-requests/lookup/find-store.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { fromRow, type Row } from '#payment-requests/model/row.ts';
import { START } from '#payment-requests/read/prepared-page-store.ts';

/** A page of the list without filters. */
export interface NewestPage {
  readonly merchantId: string;
  readonly after: TimePlace | null;
  readonly limit: number;
  /** The page as the caller read it before; null: the caller has none. */
  readonly known: FoundPage | null;
}

/** The rows of a page; they never change. */
export interface FoundPage {
  readonly rows: readonly PaymentRequest[];
  /** Names the state of all rows; null for a page without rows. */
  readonly digest: string | null;
}

/** The values of `m` are hidden from the planner as a sub-select hides them (decision 0080). */
const newest = (condition = 'true') => `
  SELECT *, xmin AS written_by FROM payment_requests
  WHERE merchant_id = m.id AND (created_at, id) < (m.after_created, m.after_id) AND ${condition}
  ORDER BY merchant_id, created_at DESC, id DESC LIMIT m.most`;

/**
 * A payment request is the known one while the transaction that wrote its row is the same: moves of
 * its status write the row, too. A message with the link has a row of its own. A page without rows,
 * or with the known ones, has one row without a payment request.
 */
export const NEWEST_PAGES: Statement = {
  name: 'payment-request-pages-newest',
  text: `WITH m AS MATERIALIZED (
      SELECT m.*, (
        SELECT (hashtextextended(m.name, 0) # bit_xor(hash_record_extended(
          (p.id, p.written_by, ${linkMessage('g.xmin')}), 0)))::text
        FROM (${newest()}) p) AS digest
      FROM (
        SELECT merchants.id, merchants.name, asked.*
        FROM ROWS FROM (json_to_recordset($1)
            AS ("merchantId" text, "limit" int, "createdAt" timestamptz, id uuid, digest text))
          WITH ORDINALITY AS asked (merchant_id, most, after_created, after_id, known, number)
        JOIN merchants ON merchants.id = asked.merchant_id) m)
    SELECT m.number::int AS page, m.digest, ${COLUMNS}
    FROM m LEFT JOIN LATERAL (${newest('m.digest IS DISTINCT FROM m.known')}) p ON true
    ORDER BY m.number, p.created_at DESC, p.id DESC`,
};

/** The value of NEWEST_PAGES. */
export function newestPagesValue(pages: readonly NewestPage[]): string {
  return JSON.stringify(
    pages.map(({ merchantId, after, limit, known }) => {
      // A made-up cursor reaches the year 10889: PostgreSQL reads no +0 before a year.
      const createdAt = after?.createdAt.toISOString().replace('+0', '') ?? START.createdAt;
      const id = after?.id ?? START.id;
      return { merchantId, limit, createdAt, id, digest: known?.digest };
    }),
  );
}

type PageRow = Row & {
  readonly page: number;
  readonly digest: string | null;
  readonly id: string | null;
};

/** Reads several pages, in their order; a page that has not changed is the known one. */
export async function findNewestPages(
  db: Executor,
  pages: readonly NewestPage[],
): Promise<FoundPage[]> {
  const rows = await db.query<PageRow>(NEWEST_PAGES, [newestPagesValue(pages)]);
  const byPage = Map.groupBy(rows, ({ page }) => page - 1);
  return pages.map(({ known }, index) => {
    const found = byPage.get(index) ?? [];
    const digest = found[0]?.digest ?? null;
    if (known && known.digest === digest) return known;
    return { digest, rows: found.flatMap((row) => (row.id === null ? [] : [fromRow(row)])) };
  });
}
