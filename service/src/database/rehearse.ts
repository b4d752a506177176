import type { Database, Executor } from './database.ts';

/** How a use case runs its transaction: for good, or only to see what it would do. */
export type RunMode = 'DO' | 'REHEARSE';

class Rehearsed extends Error {}

/**
 * Runs `work` in one transaction. With REHEARSE the transaction is rolled back after `work`, so
 * that a dry run checks and counts exactly what the real run would.
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
