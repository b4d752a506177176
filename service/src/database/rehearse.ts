import type { Database, Executor } from './database.ts';

/** How a use case runs its transaction: DO commits it, REHEARSE rolls it back. */
export type RunMode = 'DO' | 'REHEARSE';

class Rehearsed extends Error {}

/**
 * Runs `work` in one transaction. REHEARSE rolls the transaction back after `work`: a dry run then
 * checks and counts the same rows as the real run.
 */
export async function runOrRehearse<Result>(
  db: Database,
  mode: RunMode,
  work: (tx: Executor) => Promise<Result>,
): Promise<Result> {
  if (mode === 'DO') return db.transaction(work);
  let results: readonly Result[] = [];
  try {
    await db.transaction(async (tx) => {
      results = [await work(tx)];
      throw new Rehearsed();
    });
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
  }
  const [result] = results;
  return result as Result;
}
