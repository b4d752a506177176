import type { Executor, Statement } from '#database/database.ts';
import type { ListedMerchant } from './merchant-store.ts';
import { MERCHANT_COLUMNS } from './merchant-store.ts';

const SEARCH: Statement = {
  name: 'merchant-search',
  text: `SELECT ${MERCHANT_COLUMNS}, m.created_at AS "createdAt" FROM merchants m
         WHERE m.id > $1 AND ($2 = '' OR m.id = $2 OR strpos(lower(m.name), lower($2)) > 0)
         ORDER BY m.id LIMIT $3`,
};

/** The next merchants after an id whose id or name matches a text; an empty text matches all. */
export function searchMerchants(
  db: Executor,
  { after, text, limit }: { readonly after: string; readonly text: string; readonly limit: number },
): Promise<ListedMerchant[]> {
  return db.query(SEARCH, [after, text, limit]);
}
