import { createBatcher } from '#database/batcher.ts';
import type { Executor } from '#database/database.ts';
import { MAX_NOTIFIED_IDS, notifyOfChanges } from './change-signal-store.ts';

/**
 * A batch of one id more than a notification holds tells that anything may have changed. Ids beyond
 * it need no place in the queue: that notification tells of them, too.
 */
const MAX_BATCH = MAX_NOTIFIED_IDS + 1;

/**
 * Makes the signal that a payment request changed. Changes during one notification are batched into
 * the next, each id once: NOTIFY commits one at a time in the whole database.
 */
export function createChangeSignal(db: Executor) {
  const notify = createBatcher<string, void>({
    async run(ids) {
      // A lost notification costs a waiting call no more than its wait: its end reads by itself.
      await notifyOfChanges(db, ids).catch(() => {});
      return [];
    },
    maxBatch: MAX_BATCH,
    maxQueue: MAX_BATCH,
    merge: true,
    isSerial: true,
  });
  return {
    /** Notifies other processes soon. Call it after the commit. Never throws. */
    raise(id: string) {
      // An id without a place in the queue is rejected.
      notify(id).catch(() => {});
    },
  };
}
