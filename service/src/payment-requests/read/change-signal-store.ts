import type { Database, Executor, Statement } from '#database/database.ts';

const CHANNEL = 'payment_request_changes';
/** A notification holds 8,000 bytes at most; an id and its comma take 37. */
export const MAX_NOTIFIED_IDS = 200;

const NOTIFY: Statement = {
  name: 'payment-request-notify-changes',
  text: `SELECT pg_notify('${CHANNEL}', $1)`,
};

/**
 * Notifies every process that these payment requests changed. Run after the commit: inside it,
 * NOTIFY makes commits queue. With too many ids it sends none: anything may have changed.
 */
export async function notifyOfChanges(db: Executor, ids: readonly string[]): Promise<void> {
  await db.query(NOTIFY, [ids.length > MAX_NOTIFIED_IDS ? '' : ids.join(',')]);
}

/** Calls `onChange` with the ids that changed, or null when any may have; returns the stop. */
export function listenForChanges(
  db: Database,
  onChange: (ids: readonly string[] | null) => void,
): () => Promise<void> {
  return db.listen(CHANNEL, (payload = '') => onChange(payload === '' ? null : payload.split(',')));
}
