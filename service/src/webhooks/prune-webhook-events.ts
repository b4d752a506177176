import type { Executor } from '#database/database.ts';
import { pruneAttempts, pruneEvents } from './webhook-retention-store.ts';

/** Some ten milliseconds' work, which holds no row that a sender would wait for. */
const BATCH = 200;

/**
 * Deletes one small batch of what is older than `days`: events with their deliveries, but none that
 * is still owed to somebody, and attempts (webhook-delivery, Calls; contract §10).
 *
 * @returns whether more are due
 */
export async function pruneWebhookEvents(db: Executor, days: number): Promise<boolean> {
  const events = await pruneEvents(db, days, BATCH);
  const attempts = await pruneAttempts(db, days, BATCH);
  return events === BATCH || attempts === BATCH;
}
