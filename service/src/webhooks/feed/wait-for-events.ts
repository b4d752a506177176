import { createBatcher } from '#database/batcher.ts';
import type { Executor } from '#database/database.ts';
import { type Loop, startLoop } from '#lib/loop.ts';
import { WaitingCalls } from '#lib/waiting-calls.ts';
import { type Follower, findBehind } from './feed-store.ts';

/** An event may have to wait for an older transaction to end, which no notification reports. */
const POLL_INTERVAL_MS = 250;
/** Between two polls, however often calls are woken: 40 statements a second at most. */
const PAUSE_MS = 25;
/** Waiting calls of one statement. */
const MAX_BATCH = 500;
/** More than the connections that a process holds; calls beyond it are looked up a poll later. */
const MAX_QUEUE = 20_000;

export type FeedWaiters = ReturnType<typeof createFeedWaiters>;

interface Waiting extends Follower {
  readonly end: () => void;
}

/** Makes the waits for events of the feed: a poll looks up all calls that wait, in batches. */
export function createFeedWaiters({ db }: { readonly db: Executor }) {
  const waiting = new Set<Waiting>();
  const calls = new WaitingCalls();
  const loop = startPolling(db, waiting);
  let isClosed = false;

  return {
    /**
     * Waits until the follower's feed has an event after its place, `forMs` are over or `gone`.
     * @throws Problem RATE_LIMITED when too many calls of the merchant wait.
     */
    async wait(follower: Follower, forMs: number, gone: AbortSignal) {
      if (isClosed || gone.aborted) return;
      calls.add(follower.merchantId);
      const { promise, resolve } = Promise.withResolvers<void>();
      const call: Waiting = { ...follower, end: resolve };
      const timer = setTimeout(resolve, forMs);
      gone.addEventListener('abort', call.end);
      waiting.add(call);
      await promise;
      waiting.delete(call);
      clearTimeout(timer);
      gone.removeEventListener('abort', call.end);
      calls.remove(follower.merchantId);
    },
    /** There may be new events. */
    wake() {
      if (waiting.size > 0) loop.wake();
    },
    /** When the polling loop last turned. */
    turns: loop.turns,
    /** Answers all calls that wait, and all later calls, at once. */
    async close() {
      isClosed = true;
      for (const each of waiting) each.end();
      await loop.stop();
    },
  };
}

/** Ends each wait whose feed has an event after the call's place. */
function startPolling(db: Executor, waiting: ReadonlySet<Waiting>): Loop {
  const hasEvents = createBatcher<Waiting, boolean>({
    async run(calls) {
      // During a stop, calls that were ended are not looked up.
      const open = calls.filter((call) => waiting.has(call));
      if (open.length === 0) return [];
      const behind = new Set((await findBehind(db, open)).map((index) => open[index]));
      return calls.map((call) => behind.has(call));
    },
    maxBatch: MAX_BATCH,
    maxQueue: MAX_QUEUE,
    isSerial: true,
    rejectsQueue: true,
  });
  return startLoop({
    name: 'look-for-events',
    intervalMs: POLL_INTERVAL_MS,
    async run() {
      const polled = await Promise.allSettled(
        Array.from(waiting, async (call) => {
          if (await hasEvents(call)) call.end();
        }),
      );
      if (polled.length > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      const failed = polled.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
      return false;
    },
    // Each call reads once more at the end of its wait, and its answer tells the error.
    onError() {},
  });
}
