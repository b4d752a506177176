import type { Executor } from '#database/database.ts';
import { findMerchant, findMerchantNames } from './merchant-store.ts';

/** A merchant as headings and lists of choices show it. */
export interface NamedMerchant {
  readonly id: string;
  readonly name: string;
}

/** A merchant's id and name; null: there is no such merchant. */
export async function findNamedMerchant(db: Executor, id: string): Promise<NamedMerchant | null> {
  const found = await findMerchant(db, id);
  return found ? { id: found.id, name: found.name } : null;
}

/** The names of the merchants of these ids that exist. */
export async function namesOfMerchants(
  db: Executor,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  return new Map((await listNamedMerchants(db, wanted)).map(({ id, name }) => [id, name]));
}

/** The merchants of these ids that exist, by name. */
export function listNamedMerchants(db: Executor, ids: readonly string[]): Promise<NamedMerchant[]> {
  return ids.length === 0 ? Promise.resolve([]) : findMerchantNames(db, ids);
}
