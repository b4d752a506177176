import type { Executor } from '#database/database.ts';
import { pruneAttempts, pruneInbox } from './upkeep-store.ts';

/** The sandbox keeps what it "sent" for a month (messages §7). */
const INBOX_DAYS = 30;
/** Equal to the attempts of webhooks: an operator may be asked what was sent (messages §7). */
const ATTEMPT_DAYS = 90;
/** Some milliseconds' work. */
const PRUNED_AT_ONCE = 200;

/** Deletes small batches of what is no longer kept. Returns whether more are due. */
export async function pruneMessages(db: Executor): Promise<boolean> {
  const inbox = await pruneInbox(db, INBOX_DAYS, PRUNED_AT_ONCE);
  const attempts = await pruneAttempts(db, ATTEMPT_DAYS, PRUNED_AT_ONCE);
  return Math.max(inbox, attempts) === PRUNED_AT_ONCE;
}
