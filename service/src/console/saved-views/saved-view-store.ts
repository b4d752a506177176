import { allRows, execute, firstRow, firstValue, hasRows } from '#database/statements.ts';

/** The owner of a view: a person, at one merchant. */
export interface ViewOwner {
  readonly issuer: string;
  readonly subject: string;
  /** null: a view of the lists that operators alone have. */
  readonly merchantId: string | null;
}

/** A list with its filters and columns, under a person's name for it. */
export interface SavedView {
  readonly id: string;
  /** The name of the list. */
  readonly list: string;
  readonly name: string;
  /** Parameters of the list's address. */
  readonly query: string;
  /** Whether the others at the merchant, or the other operators, see the view. */
  readonly isShared: boolean;
  /** Whether the person made the view: its maker alone changes it. */
  readonly isOwn: boolean;
}

const OWNED = 'issuer = $1 AND subject = $2 AND merchant_id IS NOT DISTINCT FROM $3';

/** A person's own views, 30 at most, and as many of others: more is no choice at a glance. */
const MOST_SHOWN = 60;
const IS_OWN = '(issuer = $1 AND subject = $2)';
const COLUMNS = `id, list, name, query, is_shared AS "isShared", ${IS_OWN} AS "isOwn"`;

const valuesOf = ({ issuer, subject, merchantId }: ViewOwner) => [issuer, subject, merchantId];
const ownedBy = (owner: ViewOwner, ...values: readonly unknown[]) => [
  ...valuesOf(owner),
  ...values,
];

/**
 * Holds all views of an owner until the end of the transaction.
 *
 * Two forms of one person wait for each other, so that the count below holds.
 */
export const lockViews = execute<[owner: ViewOwner]>(
  'console-saved-view-lock',
  'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
  (owner) => [`console-saved-views ${valuesOf(owner).join(' ')}`],
);

export const countViews = firstValue<number, [owner: ViewOwner]>(
  'console-saved-view-count',
  `SELECT count(*)::int AS count FROM console_saved_views WHERE ${OWNED}`,
  0,
  ownedBy,
);

/** The views of one list that a person sees: own ones first, then those of others, by name. */
export const findViews = allRows<SavedView, [owner: ViewOwner, list: string]>(
  'console-saved-view-list',
  `SELECT ${COLUMNS} FROM console_saved_views
   WHERE merchant_id IS NOT DISTINCT FROM $3 AND list = $4 AND (${IS_OWN} OR is_shared)
   ORDER BY ${IS_OWN} DESC, lower(name), name LIMIT ${MOST_SHOWN}`,
  ownedBy,
);

export const findView = firstRow<SavedView, [owner: ViewOwner, id: string]>(
  'console-saved-view-find',
  `SELECT ${COLUMNS} FROM console_saved_views WHERE ${OWNED} AND id = $4`,
  ownedBy,
);

/** @returns false when a view of the list has the name */
export const insertView = hasRows<
  [owner: ViewOwner, view: Omit<SavedView, 'isShared' | 'isOwn'>, createdAt: Date]
>(
  'console-saved-view-insert',
  `INSERT INTO console_saved_views
     (issuer, subject, merchant_id, id, list, name, query, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
   ON CONFLICT (issuer, subject, merchant_id, list, name) DO NOTHING RETURNING id`,
  (owner, { id, list, name, query }, createdAt) => ownedBy(owner, id, list, name, query, createdAt),
);

/** @returns false when another view of the list has the name */
export const renameView = hasRows<[owner: ViewOwner, id: string, name: string]>(
  'console-saved-view-rename',
  `UPDATE console_saved_views v SET name = $5
   WHERE ${OWNED} AND id = $4 AND NOT EXISTS (
     SELECT FROM console_saved_views other WHERE ${OWNED}
       AND other.list = v.list AND other.name = $5 AND other.id <> $4)
   RETURNING id`,
  ownedBy,
);

export const setShared = execute<[owner: ViewOwner, id: string, isShared: boolean]>(
  'console-saved-view-share',
  `UPDATE console_saved_views SET is_shared = $5 WHERE ${OWNED} AND id = $4`,
  ownedBy,
);

export const deleteView = execute<[owner: ViewOwner, id: string]>(
  'console-saved-view-delete',
  `DELETE FROM console_saved_views WHERE ${OWNED} AND id = $4`,
  ownedBy,
);
