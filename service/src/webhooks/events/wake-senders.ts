import type { Executor } from '#database/database.ts';
import { notifySenders } from './outbox.ts';

export interface SenderSignal {
  /** Tells every sending process to look, soon. Call it after the commit. Never throws. */
  raise(): void;
}

/**
 * Makes the signal that wakes the senders of all processes. Calls while one notification is on its
 * way are gathered into one more: NOTIFY commits one at a time in the whole database.
 */
export function createSenderSignal(db: Executor): SenderSignal {
  let running = false;
  let again = false;

  async function notify(): Promise<void> {
    running = true;
    do {
      again = false;
      // A lost notification costs at most the second until the senders' next poll.
      await notifySenders(db).catch(() => {});
    } while (again);
    running = false;
  }

  return {
    raise() {
      if (running) again = true;
      else void notify();
    },
  };
}
