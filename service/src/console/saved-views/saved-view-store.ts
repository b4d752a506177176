import type { Executor } from '#database/database.ts';

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

/** Two forms of one person wait for each other, so that the count below holds. */
const LOCK = {
  name: 'console-saved-view-lock',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
};

const COUNT = {
  name: 'console-saved-view-count',
  text: `SELECT count(*)::int AS count FROM console_saved_views WHERE ${OWNED}`,
};

/** A person's own views, 30 at most, and as many of others: more is no choice at a glance. */
const MOST_SHOWN = 60;
const IS_OWN = '(issuer = $1 AND subject = $2)';
const COLUMNS = `id, list, name, query, is_shared AS "isShared", ${IS_OWN} AS "isOwn"`;

const LIST = {
  name: 'console-saved-view-list',
  text: `SELECT ${COLUMNS} FROM console_saved_views
         WHERE merchant_id IS NOT DISTINCT FROM $3 AND list = $4 AND (${IS_OWN} OR is_shared)
         ORDER BY ${IS_OWN} DESC, lower(name), name LIMIT ${MOST_SHOWN}`,
};

const SHARE = {
  name: 'console-saved-view-share',
  text: `UPDATE console_saved_views SET is_shared = $5 WHERE ${OWNED} AND id = $4`,
};

const FIND = {
  name: 'console-saved-view-find',
  text: `SELECT ${COLUMNS} FROM console_saved_views WHERE ${OWNED} AND id = $4`,
};

const INSERT = {
  name: 'console-saved-view-insert',
  text: `INSERT INTO console_saved_views
           (issuer, subject, merchant_id, id, list, name, query, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (issuer, subject, merchant_id, list, name) DO NOTHING RETURNING id`,
};

const RENAME = {
  name: 'console-saved-view-rename',
  text: `UPDATE console_saved_views v SET name = $5
         WHERE ${OWNED} AND id = $4 AND NOT EXISTS (
           SELECT FROM console_saved_views other WHERE ${OWNED}
             AND other.list = v.list AND other.name = $5 AND other.id <> $4)
         RETURNING id`,
};

const DELETE = {
  name: 'console-saved-view-delete',
  text: `DELETE FROM console_saved_views WHERE ${OWNED} AND id = $4`,
};

const valuesOf = ({ issuer, subject, merchantId }: ViewOwner) => [issuer, subject, merchantId];

/** Holds all views of an owner until the end of the transaction. */
export async function lockViews(tx: Executor, owner: ViewOwner): Promise<void> {
  await tx.query(LOCK, [`console-saved-views ${valuesOf(owner).join(' ')}`]);
}

export async function countViews(tx: Executor, owner: ViewOwner): Promise<number> {
  return (await tx.query<{ count: number }>(COUNT, valuesOf(owner)))[0]?.count ?? 0;
}

/** The views of one list that a person sees: own ones first, then those of others, by name. */
export function findViews(db: Executor, owner: ViewOwner, list: string): Promise<SavedView[]> {
  return db.query<SavedView>(LIST, [...valuesOf(owner), list]);
}

export async function findView(
  db: Executor,
  owner: ViewOwner,
  id: string,
): Promise<SavedView | undefined> {
  return (await db.query<SavedView>(FIND, [...valuesOf(owner), id]))[0];
}

/** @returns false when a view of the list has the name */
export async function insertView(
  tx: Executor,
  owner: ViewOwner,
  { id, list, name, query }: Omit<SavedView, 'isShared' | 'isOwn'>,
  createdAt: Date,
): Promise<boolean> {
  const values = [...valuesOf(owner), id, list, name, query, createdAt];
  return (await tx.query(INSERT, values)).length > 0;
}

/** @returns false when another view of the list has the name */
export async function renameView(
  tx: Executor,
  owner: ViewOwner,
  id: string,
  name: string,
): Promise<boolean> {
  return (await tx.query(RENAME, [...valuesOf(owner), id, name])).length > 0;
}

export async function setShared(
  db: Executor,
  owner: ViewOwner,
  id: string,
  isShared: boolean,
): Promise<void> {
  await db.query(SHARE, [...valuesOf(owner), id, isShared]);
}

export async function deleteView(db: Executor, owner: ViewOwner, id: string): Promise<void> {
  await db.query(DELETE, [...valuesOf(owner), id]);
}
