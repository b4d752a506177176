import { createBatcher } from '#database/batcher.ts';
import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { WaitingCalls } from '#lib/waiting-calls.ts';
import { findPaymentRequests } from '#payment-requests/lookup/find-store.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { canExpire } from '#payment-requests/model/statuses.ts';
import { ChangeWait, type Followed, type TimedChanges } from './change-wait.ts';

/** Between two readings: with any number of waits and changes, 40 statements a second at most. */
const PAUSE_MS = 25;
/** After a reading failed, because the database is away; it heals in seconds. */
const PAUSE_AFTER_FAILURE_MS = 1_000;
/** Resources of one statement. */
const MAX_BATCH = 500;
/** More than the connections that a process holds: each wait has one resource. */
const MAX_QUEUE = 20_000;

export interface ChangeWaiters<Resource extends Followed = PaymentRequest> {
  /** Follows one resource. @throws Problem RATE_LIMITED when too many calls wait. */
  join(merchantId: string, id: string): Waiter<Resource>;
  /** These may have changed; null: any may have. */
  wake(ids: readonly string[] | null): void;
  /** Answers all calls that wait, and all later calls, at once. */
  close(): void;
}

export interface Waiter<Resource extends Followed> {
  /**
   * Waits until the resource is another version than `seen`, `forMs` are over or `gone`.
   * Changes since `join` count.
   *
   * @returns the resource as it is then.
   * @throws  DatabaseUnavailable when that cannot be said at the end of the wait.
   */
  change(seen: Resource, forMs: number, gone: AbortSignal): Promise<Resource>;
  /** Ends to follow; call it however the wait ended. */
  leave(): void;
}

export interface ChangeWaitersDeps {
  readonly db: Executor;
  readonly clock: Clock;
}

/** How a kind of resource is read for those who wait for its changes. */
export interface FollowedKind<Resource extends Followed> extends TimedChanges<Resource> {
  /** Several at once, in no order; those that do not exist are left out. */
  findMany(db: Executor, ids: readonly string[]): Promise<readonly Resource[]>;
}

/** Payment requests: an expiry that has passed counts, written or not. */
export const PAYMENT_REQUESTS: FollowedKind<PaymentRequest> = {
  findMany: findPaymentRequests,
  at: paymentRequestAt,
  changesAt: ({ status, expiresAt }) => (canExpire(status) ? expiresAt : null),
};

/** Makes the waits of calls for a change (contract §4, Read, `waitSeconds`). */
export function createChangeWaiters<Resource extends Followed>(
  { db, clock }: ChangeWaitersDeps,
  kind: FollowedKind<Resource>,
): ChangeWaiters<Resource> {
  const waits = new WaitsById<Resource>();
  const calls = new WaitingCalls();
  const read = startReading(db, waits, kind);
  let isClosed = false;

  return {
    join(merchantId, id) {
      calls.add(merchantId);
      const wait = new ChangeWait<Resource>({ clock, timed: kind, read: () => read(id) });
      waits.add(id, wait);
      return {
        change: async (seen, forMs, gone) => (isClosed ? seen : wait.change({ seen, forMs, gone })),
        leave() {
          waits.remove(id, wait);
          calls.remove(merchantId);
        },
      };
    },
    wake(ids) {
      for (const id of ids ?? waits.ids()) if (waits.has(id)) read(id);
    },
    close() {
      isClosed = true;
      for (const id of waits.ids()) for (const wait of waits.of(id)) wait.close();
    },
  };
}

/** The waits for each resource; an id without waits is deleted. */
class WaitsById<Resource extends Followed> {
  readonly #waits = new Map<string, Set<ChangeWait<Resource>>>();

  add(id: string, wait: ChangeWait<Resource>): void {
    const waits = this.#waits.get(id) ?? new Set();
    this.#waits.set(id, waits.add(wait));
  }

  remove(id: string, wait: ChangeWait<Resource>): void {
    const waits = this.#waits.get(id);
    waits?.delete(wait);
    if (waits?.size === 0) this.#waits.delete(id);
  }

  has(id: string): boolean {
    return this.#waits.has(id);
  }

  of(id: string): Iterable<ChangeWait<Resource>> {
    return this.#waits.get(id) ?? [];
  }

  ids(): Iterable<string> {
    return this.#waits.keys();
  }
}

/**
 * Makes the reading for all waits: one statement at a time, however many calls wait. A reading that
 * failed is repeated while a call waits for its resource.
 */
function startReading<Resource extends Followed>(
  db: Executor,
  waits: WaitsById<Resource>,
  { findMany }: FollowedKind<Resource>,
): (id: string) => void {
  const fail = (id: string, error: unknown) => {
    for (const wait of waits.of(id)) wait.onFailure(error);
  };
  const read = createBatcher<string, void>({
    async run(ids) {
      const waited = ids.filter((id) => waits.has(id));
      if (waited.length === 0) return [];
      try {
        for (const found of await findMany(db, waited)) {
          for (const wait of waits.of(found.id)) wait.onRead(found);
        }
      } catch (error) {
        for (const id of waited) fail(id, error);
        throw error;
      }
      return [];
    },
    maxBatch: MAX_BATCH,
    maxQueue: MAX_QUEUE,
    merge: true,
    isSerial: true,
    pauseMs: (failures) => (failures === 0 ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS),
    mayRetry: (id) => waits.has(id),
  });
  return (id) => {
    read(id).catch((error: unknown) => fail(id, error));
  };
}
