import { containing } from '#database/containing.ts';
import { allRows } from '#database/statements.ts';
import type { ListedMerchant } from './merchant-store.ts';
import { MERCHANT_COLUMNS } from './merchant-store.ts';

/** The place of a merchant among the names; merchants of one name follow each other by id. */
export interface NamePlace {
  readonly name: string;
  readonly id: string;
}

/**
 * The next merchants after a place, by name, whose id or name matches a text; an empty text matches
 * all.
 *
 * Planned for its text each time: the index of the names' parts finds a rare part, the index of
 * whole names a common one in its order.
 */
export const searchMerchants = allRows<
  ListedMerchant,
  [values: { readonly after: NamePlace; readonly text: string; readonly limit: number }]
>(
  '',
  `SELECT ${MERCHANT_COLUMNS}, m.created_at AS "createdAt" FROM merchants m
   WHERE (lower(m.name) COLLATE "C", m.id) > (lower($1) COLLATE "C", $2)
     AND ($3 = '' OR m.id = $3 OR lower(m.name) LIKE lower($4))
   ORDER BY lower(m.name) COLLATE "C", m.id LIMIT $5`,
  ({ after, text, limit }) => [after.name, after.id, text, containing(text), limit],
);
