import { DatabaseUnavailable } from '#database/connection/database-unavailable.ts';
import type { Clock } from '#lib/clock.ts';

/** A group that waited for a lock keeps its own queue until this long after its last lock wait. */
const QUEUE_KEPT_MS = 5_000;
/** Each queue uses up to two connections, which other callers then lack. */
const MAX_QUEUES = 2;

export interface LockQueuesOptions<Item, Result> {
  readonly groupOf: (item: Item) => string;
  /** Opens the queue of one group. */
  readonly open: () => (item: Item) => Promise<Result>;
  readonly clock: Pick<Clock, 'steadyMs'>;
}

interface LockQueue<Item, Result> {
  readonly call: (item: Item) => Promise<Result>;
  untilMs: number;
}

/** The queues of groups that waited for a lock, such as a merchant's row: no other group waits. */
export class LockQueues<Item, Result> {
  readonly #options: LockQueuesOptions<Item, Result>;
  readonly #queues = new Map<string, LockQueue<Item, Result>>();

  constructor(options: LockQueuesOptions<Item, Result>) {
    this.#options = options;
  }

  /** The item's result, if its group has its own queue; else null. */
  find(item: Item): Promise<Result> | null {
    if (this.#queues.size === 0) return null;
    this.#closeEnded();
    const queue = this.#queues.get(this.#options.groupOf(item));
    return queue ? this.#callIn(queue, item) : null;
  }

  /** Gives the item's group its own queue, and the item to it; null: there are too many queues. */
  take(item: Item): Promise<Result> | null {
    this.#closeEnded();
    const group = this.#options.groupOf(item);
    const queue = this.#queues.get(group) ?? this.#open(group);
    return queue ? this.#callIn(queue, item) : null;
  }

  #open(group: string): LockQueue<Item, Result> | null {
    if (this.#queues.size >= MAX_QUEUES) return null;
    const queue = { call: this.#options.open(), untilMs: this.#keptUntilMs() };
    this.#queues.set(group, queue);
    return queue;
  }

  #callIn(queue: LockQueue<Item, Result>, item: Item): Promise<Result> {
    const promise = queue.call(item);
    promise.catch((error: unknown) => {
      const isLockWait = error instanceof DatabaseUnavailable && error.isLockWait;
      if (isLockWait) queue.untilMs = this.#keptUntilMs();
    });
    return promise;
  }

  #closeEnded(): void {
    const nowMs = this.#options.clock.steadyMs();
    for (const [group, { untilMs }] of this.#queues) {
      if (untilMs <= nowMs) this.#queues.delete(group);
    }
  }

  #keptUntilMs(): number {
    return this.#options.clock.steadyMs() + QUEUE_KEPT_MS;
  }
}
