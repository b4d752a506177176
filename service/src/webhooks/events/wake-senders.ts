import { randomUUID } from 'node:crypto';
import { createBatcher } from '#database/batcher.ts';
import type { Executor } from '#database/database.ts';
import { NamedRequests } from './named-requests.ts';
import { notifySenders } from './outbox.ts';

/**
 * Claims what is due of the named payment requests, or of all where none is named, for the sender
 * of this process. Never rejects.
 *
 * @returns whether nothing is left that another process could send
 */
export type ClaimAllDue = (paymentRequestIds: readonly string[]) => Promise<boolean>;

export type SenderSignal = ReturnType<typeof createSenderSignal>;

/** All wake-ups are equal: at most one waits behind the one on its way. */
const WAKE_UP = 'wake-up';

/**
 * Makes the signal that wakes the senders. A sender in this process claims first. Only deliveries
 * that it leaves need a notification, which costs a commit and a claim in every process.
 *
 * Wake-ups during one claim or notification are merged into the next: NOTIFY commits one at a time
 * in the whole database.
 */
export function createSenderSignal(db: Executor) {
  const id = randomUUID();
  const named = new NamedRequests();
  let own: ClaimAllDue | null = null;
  const wake = createBatcher<typeof WAKE_UP, void>({
    async run() {
      const ids = named.take();
      if (own !== null && (await own(ids))) return [];
      // A lost notification costs at most the second until the senders' next poll.
      await notifySenders(db, [id, ...ids].join(' ')).catch(() => {});
      return [];
    },
    maxBatch: 1,
    maxQueue: 1,
    merge: true,
    isSerial: true,
  });
  return {
    /** The first word of its notifications; the ids of payment requests may follow. */
    id,
    /**
     * Makes sending processes claim, soon. Call it after the commit. Never throws.
     *
     * @param paymentRequestIds of the new events; left out: anything may be due
     */
    raise(paymentRequestIds: readonly string[] = []) {
      named.add(paymentRequestIds);
      void wake(WAKE_UP);
    },
    /** Lets the sender of this process claim before others are notified; null: it has stopped. */
    setOwnSender(claim: ClaimAllDue | null) {
      own = claim;
    },
  };
}
