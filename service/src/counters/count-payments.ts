import type { Database } from '#database/database.ts';
import { claimCounting, countPage, type Source } from './counting-store.ts';

export interface CountPaymentsDeps {
  readonly db: Pick<Database, 'transaction'>;
  /** The rows of a page of a source; 2,000 when left out. */
  readonly rows?: number;
}

/** The rows of one statement: 4 ms of a core, for which calls of that moment may have to wait. */
const ROWS = 2_000;

/** New rows come first: pages of today are right while the history is still counted. */
const NEW_ROWS: readonly Source[] = ['events', 'notes', 'entries'];

/**
 * Adds up to 2,000 rows of each source to the counters (decision 0069). The places in the sources
 * move in the transaction that adds, so that a row counts once, also after a crash. A single
 * process at a time counts.
 *
 * @returns whether more may be left
 */
export function countPayments({ db, rows = ROWS }: CountPaymentsDeps): Promise<boolean> {
  return db.transaction(async (tx) => {
    const claim = await claimCounting(tx);
    if (!claim) return false;
    const page = { version: claim.version + 1, rows };
    let hasMore = false;
    for (const source of NEW_ROWS) {
      hasMore = (await countPage(tx, source, page)) || hasMore;
    }
    if (hasMore || claim.hasHistory) return hasMore;
    return countPage(tx, 'history', page);
  });
}
