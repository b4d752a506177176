import { createBatcher } from '#database/batcher.ts';
import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { type FindPage, findPaymentRequestPage } from '#payment-requests/read/list-store.ts';
import { hasFilter } from '#payment-requests/read/prepared-page-store.ts';
import type { DatabaseMetrics } from '#telemetry/metrics/database-metrics.ts';
import { KeptPages } from './kept-pages.ts';
import { type FoundPage, findNewestPages, type NewestPage } from './pages-store.ts';

/** A page has 21 rows unless a call says otherwise, and 101 at most: two megabytes for all. */
const MAX_BATCH = 32;
/** The number that may wait for a connection. */
const MAX_QUEUE = 1_000;

/**
 * Makes the reading of pages that different lists share: one statement for those without filters.
 * They have one plan, and none reads a row beyond its page, so that no page waits for a slow one. A
 * first page that has not changed has the array of before (decision 0143).
 */
export function batchPages(
  clock: Pick<Clock, 'steadyMs'>,
  metrics: Pick<DatabaseMetrics, 'batched'>,
): FindPage {
  const kept = new KeptPages(clock);
  /** By database: the primary and the replica. */
  const batchers = new Map<Executor, (page: NewestPage) => Promise<FoundPage>>();

  function batcherOf(db: Executor) {
    const known = batchers.get(db);
    if (known) return known;
    const made = createBatcher({
      run: (pages: readonly NewestPage[]) => findNewestPages(db, pages),
      maxBatch: MAX_BATCH,
      maxQueue: MAX_QUEUE,
      onBatch: (size) => metrics.batched('list', size),
    });
    batchers.set(db, made);
    return made;
  }

  return async (db, asked) => {
    const { merchantId, filters, after, limit } = asked;
    if (hasFilter(filters)) return findPaymentRequestPage(db, asked);
    // A program that walks a list asks for each later page once.
    const key = after === null ? `${merchantId} ${limit}` : null;
    const known = key === null ? null : kept.get(key);
    const page = await batcherOf(db)({ merchantId, after, limit, known });
    // A page that has not changed keeps its age.
    if (key !== null && page !== known) kept.set(key, page);
    return page.rows;
  };
}
