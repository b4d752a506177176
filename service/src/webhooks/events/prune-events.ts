import type { Executor } from '#database/database.ts';
import { endUnsent, pruneAttempts, pruneEvents, pruneFirstAttempts } from './retention-store.ts';

/** Some ten milliseconds' work, which holds no row that a sender would wait for. */
const BATCH = 200;

/**
 * Deletes one small batch of what is older than `days`: events with their deliveries, but none that
 * is still owed to an endpoint, and attempts (delivery §3; contract §10). A delivery to
 * a URL without an endpoint that is PENDING for so long ends first, as EXHAUSTED.
 *
 * @param onEnded receives the number of deliveries that ended so, for the operator
 * @returns whether more are due
 */
export async function pruneWebhookEvents(
  db: Executor,
  days: number,
  onEnded: (count: number) => void = () => {},
): Promise<boolean> {
  const ended = await endUnsent(db, days, BATCH);
  if (ended > 0) onEnded(ended);
  const events = await pruneEvents(db, days, BATCH);
  const attempts = await pruneAttempts(db, days, BATCH);
  const firstAttempts = await pruneFirstAttempts(db, days, BATCH);
  return [ended, events, attempts, firstAttempts].includes(BATCH);
}
