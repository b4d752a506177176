import type { DatabaseDeps } from '#database/database.ts';
import type { LivePages } from '#http/live/live-pages.ts';
import { createChangeSignal } from '#payment-requests/read/change-signal.ts';
import { listenForChanges } from '#payment-requests/read/change-signal-store.ts';
import { createChangeWaiters, PAYMENT_REQUESTS } from '#payment-requests/read/wait-for-change.ts';
import { REFUNDS } from '#refunds/read/read-refund.ts';
import { createFeedWaiters } from '#webhooks/feed/wait-for-events.ts';

export interface ChangeSignalsDeps extends DatabaseDeps {
  /** null: the deployment has no pages that follow a payment. */
  readonly livePages: LivePages | null;
}

/** Notifies everything that waits for changes of payment requests. */
export type ChangeSignals = ReturnType<typeof createChangeSignals>;

export function createChangeSignals({ db, clock, livePages }: ChangeSignalsDeps) {
  const waiters = createChangeWaiters({ db, clock }, PAYMENT_REQUESTS);
  const refundWaiters = createChangeWaiters({ db, clock }, REFUNDS);
  const feedWaiters = createFeedWaiters({ db });
  const otherProcesses = createChangeSignal(db);

  /** @param ids null: any payment request may have changed */
  function wake(ids: readonly string[] | null): void {
    waiters.wake(ids);
    refundWaiters.wake(ids);
    feedWaiters.wake();
    livePages?.changed(ids);
  }

  return {
    /** Calls of this process that wait for a payment request to change. */
    waiters,
    /** Calls of this process that wait for a refund to change. */
    refundWaiters,
    /** Calls of this process that wait for events. */
    feedWaiters,
    /** Call it after the commit of a change: it wakes the waiters of all processes. */
    changed(id: string) {
      wake([id]);
      otherProcesses.raise(id);
    },
    /** Wakes the waiters of this process by the changes of all others. @returns ends it */
    listen: () => listenForChanges(db, wake),
  };
}
