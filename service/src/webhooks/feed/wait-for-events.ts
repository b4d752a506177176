import type { Executor } from '#database/database.ts';
import { type Loop, startLoop } from '#lib/loop.ts';
import { Problem } from '#lib/problem.ts';
import type { FeedPosition } from './cursor.ts';
import { findBehind } from './feed-store.ts';

/** As for payment requests (contract §4, Read). A waiter holds a socket and a timer. */
const MOST_OF_A_MERCHANT = 50;
/** A wait lasts up to 30 s, so that a place becomes free soon. */
const RETRY_AFTER_SECONDS = '1';
/** An event may have to wait for an older transaction to end, which nobody signals. */
const LOOK_INTERVAL_MS = 250;
/** Between two looks, however often they are woken: 40 statements a second at most. */
const PAUSE_MS = 25;
/** Of one statement. */
const MOST_LOOKED_AT = 500;

export interface FeedWaiters {
  /**
   * Waits until the merchant's feed has an event after a place, `forMs` are over or `gone`.
   * @throws Problem RATE_LIMITED when too many calls of the merchant wait.
   */
  wait(merchantId: string, after: FeedPosition, forMs: number, gone: AbortSignal): Promise<void>;
  /** There may be new events. */
  wake(): void;
  /** When the loop that looks for all of them last turned. */
  turns: Loop['turns'];
  /** Answers all who wait, and all who come later, at once. */
  close(): Promise<void>;
}

interface Waiting {
  readonly merchantId: string;
  readonly after: FeedPosition;
  readonly end: () => void;
}

/** Makes the places where calls wait for events: one statement looks for all of them. */
export function createFeedWaiters({ db }: { readonly db: Executor }): FeedWaiters {
  const waiting = new Set<Waiting>();
  const countOf = new Map<string, number>();
  let isClosed = false;

  const loop = startLoop({
    name: 'look-for-events',
    intervalMs: LOOK_INTERVAL_MS,
    async run(signal) {
      const all = [...waiting];
      for (let at = 0; at < all.length && !signal.aborted; at += MOST_LOOKED_AT) {
        const some = all.slice(at, at + MOST_LOOKED_AT);
        for (const index of await findBehind(db, some)) some[index]?.end();
      }
      if (all.length > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      return false;
    },
    // Whoever waits looks once more at the end of the wait, and says then what is wrong.
    onError() {},
  });

  return {
    async wait(merchantId, after, forMs, gone) {
      if (isClosed || gone.aborted) return;
      const count = countOf.get(merchantId) ?? 0;
      if (count >= MOST_OF_A_MERCHANT) throw tooManyWait();
      countOf.set(merchantId, count + 1);
      const { promise, resolve } = Promise.withResolvers<void>();
      const one: Waiting = { merchantId, after, end: resolve };
      const timer = setTimeout(resolve, forMs);
      gone.addEventListener('abort', one.end);
      waiting.add(one);
      await promise;
      waiting.delete(one);
      clearTimeout(timer);
      gone.removeEventListener('abort', one.end);
      const left = (countOf.get(merchantId) ?? 1) - 1;
      if (left === 0) countOf.delete(merchantId);
      else countOf.set(merchantId, left);
    },
    wake() {
      if (waiting.size > 0) loop.wake();
    },
    turns: loop.turns,
    async close() {
      isClosed = true;
      for (const each of waiting) each.end();
      await loop.stop();
    },
  };
}

function tooManyWait(): Problem {
  return new Problem('RATE_LIMITED', {
    detail: `${MOST_OF_A_MERCHANT} calls of a merchant wait already; ask without waitSeconds.`,
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
}
