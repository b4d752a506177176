import type { Database, Executor } from '#database/database.ts';
import { searchTextOf } from './search-text.ts';
import {
  claimTexts,
  findSources,
  lockTexts,
  type TextOrigin,
  type TextSource,
  takeSources,
  writeTexts,
} from './text-store.ts';

export { lockTexts };

/**
 * The rows of a run. At one run in two seconds the index takes a few per cent of a core of
 * PostgreSQL, also while creations come faster; the texts of such a peak come later.
 */
const ROWS = 1_000;

const NEW_ROWS: readonly TextOrigin[] = ['created', 'updated'];

/**
 * Writes the search texts of created and updated payment requests (decision 0140), behind the
 * oldest open transaction. The place moves in the transaction that writes.
 *
 * @returns false: the next run comes after its pause
 */
export async function indexTexts(
  db: Pick<Database, 'transaction'>,
  rows: number = ROWS,
): Promise<false> {
  await db.transaction(async (tx) => {
    const claim = await claimTexts(tx);
    if (!claim) return;
    let found = 0;
    for (const origin of NEW_ROWS) found += await index(tx, await takeSources(tx, origin, rows));
    if (found < rows && !claim.hasHistory) await index(tx, await takeSources(tx, 'history', rows));
  });
  return false;
}

/** Writes the texts of payment requests that this transaction has changed. */
export async function indexTextsOf(tx: Executor, ids: readonly string[]): Promise<void> {
  await lockTexts(tx);
  await index(tx, await findSources(tx, ids));
}

async function index(tx: Executor, sources: readonly TextSource[]): Promise<number> {
  if (sources.length > 0) await writeTexts(tx, sources, sources.map(searchTextOf));
  return sources.length;
}
