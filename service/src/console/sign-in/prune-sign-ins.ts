import { pruneSessions } from '#console/sessions/session-store.ts';
import type { Executor } from '#database/database.ts';
import { pruneLinks } from './link-store.ts';

/** An operator may be asked about a sign-in of last month; the audit log keeps it for longer. */
const KEPT_DAYS = 30;
/** Some milliseconds' work. */
const PRUNED_AT_ONCE = 200;

/** Deletes a small batch of old sessions and links. @returns whether more are due */
export async function pruneSignIns(db: Executor): Promise<boolean> {
  const sessions = await pruneSessions(db, KEPT_DAYS, PRUNED_AT_ONCE);
  const links = await pruneLinks(db, KEPT_DAYS, PRUNED_AT_ONCE);
  return sessions === PRUNED_AT_ONCE || links === PRUNED_AT_ONCE;
}
