import { containing } from '#database/containing.ts';
import { allRows } from '#database/statements.ts';
import type { ListedMerchant } from './merchant-store.ts';
import { MERCHANT_COLUMNS } from './merchant-store.ts';

/**
 * The next merchants after an id whose id or name matches a text; an empty text matches all.
 *
 * Planned for its text each time: the index of names finds a rare part, the order of ids a common
 * one.
 */
export const searchMerchants = allRows<
  ListedMerchant,
  [values: { readonly after: string; readonly text: string; readonly limit: number }]
>(
  '',
  `SELECT ${MERCHANT_COLUMNS}, m.created_at AS "createdAt" FROM merchants m
   WHERE m.id > $1 AND ($2 = '' OR m.id = $2 OR lower(m.name) LIKE lower($3))
   ORDER BY m.id LIMIT $4`,
  ({ after, text, limit }) => [after, text, containing(text), limit],
);
