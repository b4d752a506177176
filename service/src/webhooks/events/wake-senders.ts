import { createBatcher } from '#database/batcher.ts';
import type { Executor } from '#database/database.ts';
import { notifySenders } from './outbox.ts';

export interface SenderSignal {
  /** Notifies every sending process to claim, soon. Call it after the commit. Never throws. */
  raise(): void;
}

/** All wake-ups are equal: at most one waits behind the one on its way. */
const WAKE_UP = 'wake-up';

/**
 * Makes the signal that wakes the senders of all processes. Wake-ups during one notification are
 * merged into the next: NOTIFY commits one at a time in the whole database.
 */
export function createSenderSignal(db: Executor): SenderSignal {
  const notify = createBatcher<typeof WAKE_UP, void>({
    async run() {
      // A lost notification costs at most the second until the senders' next poll.
      await notifySenders(db).catch(() => {});
      return [];
    },
    maxBatch: 1,
    maxQueue: 1,
    merge: true,
    isSerial: true,
  });
  return {
    raise() {
      void notify(WAKE_UP);
    },
  };
}
