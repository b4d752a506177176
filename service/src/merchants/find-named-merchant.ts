import type { Executor } from '#database/database.ts';
import { findMerchantNames, findMerchantZone } from './merchant-store.ts';

/** A merchant as headings and lists of choices show it. */
export interface NamedMerchant {
  readonly id: string;
  readonly name: string;
}

export interface ZonedMerchant extends NamedMerchant {
  /** The IANA name of the zone of the merchant's days; null: that of the deployment. */
  readonly timeZone: string | null;
}

/** A merchant's id, name and zone; null: there is no such merchant. */
export function findNamedMerchant(db: Executor, id: string): Promise<ZonedMerchant | null> {
  return findMerchantZone(db, id);
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
