import type { Database } from '#database/database.ts';
import { pruneAnswers } from './idempotency-store.ts';

/** The batch takes a few milliseconds: a stop never waits for it, and no call notices it. */
const BATCH = 500;

/**
 * Deletes one small batch of answers that are older than 72 h (contract §4).
 * @returns whether more are due.
 */
export async function pruneIdempotencyAnswers(db: Database): Promise<boolean> {
  return (await pruneAnswers(db, BATCH)) === BATCH;
}
