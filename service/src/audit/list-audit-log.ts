import type { Executor } from '#database/database.ts';
import { cutPage, type Page } from '#lib/cursor.ts';
import { actorForMerchant } from './actor-for-merchant.ts';
import { type EntryMembers, entryMembers } from './entry-members.ts';
import { type AuditFilter, findAuditPosition, listAudit } from './read-store.ts';

const HASH = /^[0-9a-f]{64}$/;

export type AuditQuery = Omit<AuditFilter, 'before'> & {
  /** The cursor of the page before; null: the newest entries. */
  readonly cursor: string | null;
};

export type AuditPage = Page<EntryMembers>;

/** The newest entries that match, a page at a time. A cursor that is none begins at the newest. */
export async function listAuditLog(db: Executor, query: AuditQuery): Promise<AuditPage> {
  const { cursor, ...filter } = query;
  const before = cursor !== null && /^\d{1,18}$/.test(cursor) ? cursor : null;
  const found = await listAudit(db, { ...filter, before, limit: filter.limit + 1 });
  return cutPage(found.map(entryMembers), filter.limit, ({ position }) => `${position}`);
}

/**
 * A merchant's own entries. The cursor is a hash: positions count the acts of all merchants.
 */
export async function listMerchantAudit(
  db: Executor,
  merchantId: string,
  { cursor, ...query }: Omit<AuditQuery, 'merchantId' | 'actor'>,
): Promise<AuditPage> {
  const hash = cursor !== null && HASH.test(cursor) ? Buffer.from(cursor, 'hex') : null;
  const position = hash === null ? null : await findAuditPosition(db, merchantId, hash);
  const filter = { ...query, merchantId, actor: null, cursor: position };
  const { data, nextCursor } = await listAuditLog(db, filter);
  return {
    data: data.map((entry) => ({ ...entry, actor: actorForMerchant(entry.actor) })),
    nextCursor: nextCursor === null ? null : (data.at(-1)?.hash ?? null),
  };
}
