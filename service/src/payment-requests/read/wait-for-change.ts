import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { findPaymentRequests } from '#payment-requests/lookup/find-store.ts';
import { type PaymentRequest, paymentRequestAt } from '#payment-requests/model/payment-request.ts';
import { canExpire } from '#payment-requests/model/statuses.ts';

/** Contract §4, Read. A waiter holds a socket and a timer, no connection to the database. */
const MOST_OF_A_MERCHANT = 50;
/** A wait lasts up to 30 s, so that a place becomes free soon. */
const RETRY_AFTER_SECONDS = '1';
/** Between two looks: with any number of waiters and changes, 40 statements a second at most. */
const PAUSE_MS = 25;
/** When the database is away; it heals in seconds. */
const PAUSE_AFTER_FAILURE_MS = 1_000;
/** Of one statement. */
const MOST_LOOKED_AT = 500;

export interface ChangeWaiters {
  /** A place to wait for one payment request. @throws Problem RATE_LIMITED when all are taken. */
  join(merchantId: string, id: string): Waiter;
  /** These may have changed; null: any may have. */
  wake(ids: readonly string[] | null): void;
  /** Answers all who wait, and all who come later, at once. */
  close(): void;
}

export interface Waiter {
  /**
   * Waits until the payment request is another version than `seen`, `forMs` are over or `gone`.
   * Changes since `join` count.
   *
   * @returns the payment request as it is then.
   * @throws  DatabaseUnavailable when that cannot be said at the end of the wait.
   */
  change(seen: PaymentRequest, forMs: number, gone: AbortSignal): Promise<PaymentRequest>;
  /** Gives the place back; to be called however the wait ended. */
  leave(): void;
}

interface Waiting {
  readonly id: string;
  /** The latest that was read, after `join`. */
  latest: PaymentRequest | null;
  onRead: (read: PaymentRequest) => void;
  /** A look failed. */
  onFailure: (error: unknown) => void;
  onClose: () => void;
}

/** Makes the places where calls wait for a change (contract §4, Read, `waitSeconds`). */
export function createChangeWaiters(deps: {
  readonly db: Executor;
  readonly clock: Clock;
}): ChangeWaiters {
  const { db, clock } = deps;
  const waitingFor = new Map<string, Set<Waiting>>();
  const countOf = new Map<string, number>();
  const toLookAt = new Set<string>();
  let isLooking = false;
  let isClosed = false;

  function lookAt(id: string): void {
    toLookAt.add(id);
    if (!isLooking) void look();
  }

  /** One statement for everybody who waits for what may have changed, however many they are. */
  async function look(): Promise<void> {
    isLooking = true;
    while (toLookAt.size > 0) {
      const ids = [...toLookAt].filter((id) => waitingFor.has(id)).slice(0, MOST_LOOKED_AT);
      for (const id of ids.length === 0 ? [...toLookAt] : ids) toLookAt.delete(id);
      if (ids.length === 0) continue;
      let pauseMs = PAUSE_MS;
      try {
        for (const found of await findPaymentRequests(db, ids)) {
          for (const each of waitingFor.get(found.id) ?? []) each.onRead(found);
        }
      } catch (error) {
        pauseMs = PAUSE_AFTER_FAILURE_MS;
        for (const id of ids) {
          toLookAt.add(id);
          for (const each of waitingFor.get(id) ?? []) each.onFailure(error);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    isLooking = false;
  }

  return {
    join(merchantId, id) {
      const count = countOf.get(merchantId) ?? 0;
      if (count >= MOST_OF_A_MERCHANT) throw tooManyWait();
      countOf.set(merchantId, count + 1);
      const waiting = newWaiting(id);
      const others = waitingFor.get(id) ?? new Set();
      waitingFor.set(id, others.add(waiting));
      return {
        change: (seen, forMs, gone) =>
          isClosed
            ? Promise.resolve(seen)
            : waitForChange({ clock, lookAt }, waiting, { seen, forMs, gone }),
        leave() {
          others.delete(waiting);
          if (others.size === 0 && waitingFor.get(id) === others) waitingFor.delete(id);
          const left = (countOf.get(merchantId) ?? 1) - 1;
          if (left === 0) countOf.delete(merchantId);
          else countOf.set(merchantId, left);
        },
      };
    },
    wake(ids) {
      for (const id of ids ?? waitingFor.keys()) if (waitingFor.has(id)) lookAt(id);
    },
    close() {
      isClosed = true;
      for (const each of [...waitingFor.values()].flatMap((set) => [...set])) each.onClose();
    },
  };
}

function newWaiting(id: string): Waiting {
  const waiting: Waiting = {
    id,
    latest: null,
    onRead(read) {
      waiting.latest = read;
    },
    onFailure() {},
    onClose() {},
  };
  return waiting;
}

interface Asked {
  readonly seen: PaymentRequest;
  readonly forMs: number;
  readonly gone: AbortSignal;
}

function waitForChange(
  { clock, lookAt }: { readonly clock: Clock; readonly lookAt: (id: string) => void },
  waiting: Waiting,
  { seen, forMs, gone }: Asked,
): Promise<PaymentRequest> {
  let isOver = false;
  let expiry: NodeJS.Timeout | undefined;
  const { promise, resolve, reject } = Promise.withResolvers<PaymentRequest>();
  const end = setTimeout(() => {
    isOver = true;
    lookAt(waiting.id);
  }, forMs);

  function judge(): void {
    const now = clock.now();
    const current = newest(now);
    if (isOver || current.version > seen.version) {
      resolve(current);
      return;
    }
    clearTimeout(expiry);
    if (!canExpire(current.status)) return;
    // Its expiry is a change that nobody signals in time: the timer writes it up to a second later.
    const inMs = current.expiresAt.getTime() - now.getTime();
    if (inMs <= forMs) expiry = setTimeout(() => lookAt(waiting.id), Math.max(inMs, 1));
  }

  /** What was read for others while this call made its own first look may be the older one. */
  function newest(now: Date): PaymentRequest {
    const latest = waiting.latest && paymentRequestAt(waiting.latest, now);
    return latest && latest.version >= seen.version ? latest : seen;
  }

  const answerSeen = () => resolve(newest(clock.now()));
  waiting.onRead = (read) => {
    waiting.latest = read;
    judge();
  };
  waiting.onFailure = (error) => {
    if (isOver) reject(error);
  };
  waiting.onClose = answerSeen;
  gone.addEventListener('abort', answerSeen);
  if (gone.aborted) answerSeen();
  judge();
  return promise.finally(() => {
    clearTimeout(end);
    clearTimeout(expiry);
    gone.removeEventListener('abort', answerSeen);
  });
}

function tooManyWait(): Problem {
  return new Problem('RATE_LIMITED', {
    detail: `${MOST_OF_A_MERCHANT} calls of a merchant wait already; ask without waitSeconds.`,
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
}
