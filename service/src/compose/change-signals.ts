import type { Database } from '#database/database.ts';
import type { LivePages } from '#http/live/live-pages.ts';
import type { Clock } from '#lib/clock.ts';
import { createChangeSignal } from '#payment-requests/read/change-signal.ts';
import { listenForChanges } from '#payment-requests/read/change-signal-store.ts';
import {
  type ChangeWaiters,
  createChangeWaiters,
  PAYMENT_REQUESTS,
} from '#payment-requests/read/wait-for-change.ts';
import type { Refund } from '#refunds/model/refund.ts';
import { REFUNDS } from '#refunds/read/read-refund.ts';
import { createFeedWaiters, type FeedWaiters } from '#webhooks/feed/wait-for-events.ts';

export interface ChangeSignalsDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** null: the deployment has no pages that follow a payment. */
  readonly livePages: LivePages | null;
}

/** Notifies everything that waits for changes of payment requests. */
export interface ChangeSignals {
  /** Calls of this process that wait for a payment request to change. */
  readonly waiters: ChangeWaiters;
  /** Calls of this process that wait for a refund to change. */
  readonly refundWaiters: ChangeWaiters<Refund>;
  /** Calls of this process that wait for events. */
  readonly feedWaiters: FeedWaiters;
  /** Call it after the commit of a change: it wakes the waiters of all processes. */
  readonly changed: (id: string) => void;
  /** Wakes the waiters of this process by the changes of all others. @returns ends it */
  listen(): () => Promise<void>;
}

export function createChangeSignals({ db, clock, livePages }: ChangeSignalsDeps): ChangeSignals {
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
    waiters,
    refundWaiters,
    feedWaiters,
    changed(id) {
      wake([id]);
      otherProcesses.raise(id);
    },
    listen: () => listenForChanges(db, wake),
  };
}
