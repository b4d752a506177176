import type { Executor } from '#database/database.ts';
import { notifyOfChanges } from './change-signal-store.ts';

export interface ChangeSignal {
  /** Tells those who wait in other processes, soon. Call it after the commit. Never throws. */
  raise(id: string): void;
}

/**
 * Makes the signal that a payment request changed. What changes while one notification is on its
 * way is gathered into one more: NOTIFY commits one at a time in the whole database.
 */
export function createChangeSignal(db: Executor): ChangeSignal {
  let running = false;
  let changed = new Set<string>();

  async function notify(): Promise<void> {
    running = true;
    while (changed.size > 0) {
      const ids = [...changed];
      changed = new Set();
      // A lost notification costs who waits no more than the wait: its end looks by itself.
      await notifyOfChanges(db, ids).catch(() => {});
    }
    running = false;
  }

  return {
    raise(id) {
      changed.add(id);
      if (!running) void notify();
    },
  };
}
