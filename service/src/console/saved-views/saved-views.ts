import type { DatabaseDeps, Executor } from '#database/database.ts';
import { isId, newId } from '#lib/new-id.ts';
import {
  countViews,
  deleteView,
  findView,
  findViews,
  insertView,
  lockViews,
  renameView,
  type SavedView,
  setShared,
  type ViewOwner,
} from './saved-view-store.ts';

export type { SavedView, ViewOwner };

/** More than a person tells apart by their names, in all lists of a merchant. */
export const MOST_VIEWS = 30;
/** Fits on one line of a narrow screen's menu. */
export const LONGEST_VIEW_NAME = 60;
/** Every filter of a list at a usual length; the columns add some 200. */
const LONGEST_QUERY = 1_000;

/** Why a view is not saved. */
export type ViewFault =
  | 'NAME_MISSING'
  | 'NAME_TOO_LONG'
  | 'NAME_TAKEN'
  | 'TOO_MANY'
  | 'QUERY_TOO_LONG';

export function listViews(db: Executor, owner: ViewOwner, list: string): Promise<SavedView[]> {
  return findViews(db, owner, list);
}

/** A view of this person at this merchant; null: another's view does not exist. */
export async function readView(
  db: Executor,
  owner: ViewOwner,
  id: string,
): Promise<SavedView | null> {
  return (isId(id) && (await findView(db, owner, id))) || null;
}

/** Saves a view. @returns why not; null: it is saved */
export async function saveView(
  { db, clock }: DatabaseDeps,
  owner: ViewOwner,
  { list, name: typed, query }: Pick<SavedView, 'list' | 'name' | 'query'>,
): Promise<ViewFault | null> {
  const name = typed.trim();
  const fault = nameFault(name);
  if (fault) return fault;
  if (query.length > LONGEST_QUERY) return 'QUERY_TOO_LONG';
  return db.transaction(async (tx) => {
    await lockViews(tx, owner);
    if ((await countViews(tx, owner)) >= MOST_VIEWS) return 'TOO_MANY';
    const view = { id: newId(), list, name, query };
    return (await insertView(tx, owner, view, clock.now())) ? null : 'NAME_TAKEN';
  });
}

/** Renames a view that exists. @returns why not; null: it has the name */
export async function renameSavedView(
  { db }: DatabaseDeps,
  owner: ViewOwner,
  id: string,
  typed: string,
): Promise<ViewFault | null> {
  const name = typed.trim();
  const fault = nameFault(name);
  if (fault) return fault;
  return db.transaction(async (tx) => {
    await lockViews(tx, owner);
    return (await renameView(tx, owner, id, name)) ? null : 'NAME_TAKEN';
  });
}

/** Shows a view to the others at the merchant, or to its maker alone again. */
export async function shareView(
  db: Executor,
  owner: ViewOwner,
  id: string,
  isShared: boolean,
): Promise<void> {
  await setShared(db, owner, id, isShared);
}

export async function forgetView(db: Executor, owner: ViewOwner, id: string): Promise<void> {
  await deleteView(db, owner, id);
}

function nameFault(name: string): ViewFault | null {
  if (name === '') return 'NAME_MISSING';
  return [...name].length > LONGEST_VIEW_NAME ? 'NAME_TOO_LONG' : null;
}
