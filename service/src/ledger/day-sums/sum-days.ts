import { COMMIT_START } from '#database/commit-order/commit-cursor.ts';
import type { Database } from '#database/database.ts';
import {
  addEntries,
  claimSumming,
  deleteSums,
  findLastOfPage,
  isOfLedger,
  moveTo,
} from './day-sums-store.ts';

/** The rows of one statement: some 50 ms on a busy server, while nobody waits for them. */
const ROWS = 5_000;

export interface SumDaysDeps {
  readonly db: Pick<Database, 'transaction'>;
  /** The rows of a turn; 5,000 when left out. */
  readonly rows?: number;
}

/**
 * Adds the next entries of the ledger to the sums of their days (decision 0076). The place moves in
 * the transaction that adds, so that an entry counts once, also after a crash. A single process at
 * a time sums. Sums of another history are deleted, and made again.
 *
 * @returns whether more may be left
 */
export function sumDays({ db, rows = ROWS }: SumDaysDeps): Promise<boolean> {
  return db.transaction(async (tx) => {
    const from = await claimSumming(tx);
    if (!from) return false;
    const isAtStart = from.transactionId === COMMIT_START.transactionId;
    if (!isAtStart && !(await isOfLedger(tx))) {
      await moveTo(tx, COMMIT_START);
      return true;
    }
    // At the start no report uses the sums: those that are left are of another history.
    if (isAtStart && (await deleteSums(tx, rows)) > 0) return true;
    const last = await findLastOfPage(tx, from, rows);
    if (!last) return false;
    await addEntries(tx, from, last);
    await moveTo(tx, last);
    return last.isFull;
  });
}
