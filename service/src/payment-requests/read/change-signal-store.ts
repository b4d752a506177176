import type { Database } from '#database/database.ts';
import { execute } from '#database/statements.ts';

const CHANNEL = 'payment_request_changes';
/** A notification holds 8,000 bytes at most; an id and its comma take 37. */
export const MAX_NOTIFIED_IDS = 200;

/**
 * Notifies every process that these payment requests changed. Run after the commit: inside it,
 * NOTIFY makes commits queue. With too many ids it sends none: anything may have changed.
 */
export const notifyOfChanges = execute(
  'payment-request-notify-changes',
  `SELECT pg_notify('${CHANNEL}', $1)`,
  (ids: readonly string[]) => [ids.length > MAX_NOTIFIED_IDS ? '' : ids.join(',')],
);

/** Calls `onChange` with the ids that changed, or null when any may have; returns the stop. */
export function listenForChanges(
  db: Database,
  onChange: (ids: readonly string[] | null) => void,
): () => Promise<void> {
  return db.listen(CHANNEL, (payload = '') => onChange(payload === '' ? null : payload.split(',')));
}
