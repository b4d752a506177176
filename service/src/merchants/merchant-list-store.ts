import { allRows, valuesOf } from '#database/statements.ts';
import type { ListedMerchant } from './merchant-store.ts';
import { MERCHANT_COLUMNS } from './merchant-store.ts';

/** The next merchants after an id whose id or name matches a text; an empty text matches all. */
export const searchMerchants = allRows<
  ListedMerchant,
  [values: { readonly after: string; readonly text: string; readonly limit: number }]
>(
  'merchant-search',
  `SELECT ${MERCHANT_COLUMNS}, m.created_at AS "createdAt" FROM merchants m
   WHERE m.id > $1 AND ($2 = '' OR m.id = $2 OR strpos(lower(m.name), lower($2)) > 0)
   ORDER BY m.id LIMIT $3`,
  valuesOf('after', 'text', 'limit'),
);
