import { DatabaseUnavailable } from '#database/connection/database-unavailable.ts';
import { runOutsideCalls } from '#lib/call-context.ts';
import { systemClock } from '#lib/clock.ts';

export interface BatcherOptions<Item, Result> {
  /**
   * Does many at once; answers in the items' order. Waits for a lock for `lockWaitMs` at most;
   * undefined: as long as any statement.
   */
  readonly run: (
    items: readonly Item[],
    lockWaitMs?: number | undefined,
  ) => Promise<readonly Result[]>;
  /** The most items of one run. */
  readonly maxBatch: number;
  /** The most items that may wait; beyond it a caller is told to come back. */
  readonly maxQueue: number;
  /** Told how many items each run had, for metrics. */
  readonly onBatch?: (size: number) => void;
  /** Items of one group may wait for the same lock, such as their merchant's row. */
  readonly groupOf?: (item: Item) => string;
}

/**
 * A run takes 1 to 20 ms, a hundred rows on a slow disk 50. A longer run waits for a
 * lock; items that need no such lock shall not wait behind it.
 */
const HELD_UP_MS = 100;
/** A shared run waits for a lock no longer: no transaction of this service holds one so long. */
const SHARED_LOCK_WAIT_MS = 300;
/** Seven failed runs find one locked group among a hundred; what is left then is refused. */
const BISECT_LIMIT_MS = 3_000;
/** Without groups a run waits for a lock for 5 s: one half of its batch is tried after that. */
const UNGROUPED_BISECT_LIMIT_MS = 8_000;
/** A group that waited for a lock has a queue of its own until this long after its last wait. */
const APART_MS = 5_000;
/** Each uses up to two connections, which the other callers lack. */
const MOST_GROUPS_APART = 2;
/** More would wait for longer than a caller does. */
const MAX_QUEUE_APART = 100;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers calls that come while others are under way into one: one statement and one commit for
 * many. A lone call is not delayed: it runs once what has come with it in the same turn of the
 * event loop is read, in the same millisecond. There is one run at a time, because small ones pay
 * what a run costs beside its items more often, and a second one beside one that is held up.
 *
 * Failures do not mix. A failed batch is bisected until the bad item is alone. A batch that waited
 * for a lock is bisected until one group is alone; this group then waits in a queue of its own.
 *
 * @returns the call for one item. It throws what `run` throws for that item alone, and
 *          DatabaseUnavailable when too many wait.
 */
export function createBatcher<Item, Result>(
  options: BatcherOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { run, maxBatch, maxQueue, onBatch, groupOf } = options;
  const waiting: Waiting<Item, Result>[] = [];
  const apart = createGroupsApart(options);
  const lockWaitMs = groupOf && SHARED_LOCK_WAIT_MS;
  const bisectLimitMs = groupOf ? BISECT_LIMIT_MS : UNGROUPED_BISECT_LIMIT_MS;
  let running = 0;
  let heldUp = 0;
  let isPlanned = false;

  function mayBegin(): boolean {
    const isFree = running === 0 || (running === 1 && heldUp === 1);
    return isFree && waiting.length > 0;
  }

  function plan(): void {
    if (isPlanned || !mayBegin()) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      // A batch belongs to no single call: nothing in it may take the request id of its first call.
      void runOutsideCalls(runAll);
    });
  }

  async function runAll(): Promise<void> {
    while (mayBegin()) await runOne();
  }

  async function runOne(): Promise<void> {
    running += 1;
    let isHeldUp = false;
    const timer = setTimeout(() => {
      isHeldUp = true;
      heldUp += 1;
      plan();
    }, HELD_UP_MS);
    await runBatch(waiting.splice(0, maxBatch), systemClock.steadyMs() + bisectLimitMs);
    clearTimeout(timer);
    running -= 1;
    if (isHeldUp) heldUp -= 1;
  }

  async function runBatch(
    batch: readonly Waiting<Item, Result>[],
    endsAtMs: number,
  ): Promise<void> {
    onBatch?.(batch.length);
    try {
      const items = batch.map(({ item }) => item);
      const results = await (lockWaitMs ? run(items, lockWaitMs) : run(items));
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      await divide(batch, error, endsAtMs);
    }
  }

  async function divide(
    batch: readonly Waiting<Item, Result>[],
    error: unknown,
    endsAtMs: number,
  ): Promise<void> {
    const isLockWait = error instanceof DatabaseUnavailable && error.isLockWait;
    const isOver = isLockWait && systemClock.steadyMs() >= endsAtMs;
    const isShared = error instanceof DatabaseUnavailable && !isLockWait;
    const groups = isLockWait && groupOf ? byGroup(batch, groupOf) : batch.map((each) => [each]);
    if (isShared || isOver || groups.length === 1) {
      for (const each of batch) {
        const promise = isLockWait && !isOver ? apart.take(each.item) : null;
        if (promise) promise.then(each.resolve, each.reject);
        else each.reject(error);
      }
      return;
    }
    const half = Math.ceil(groups.length / 2);
    await runBatch(groups.slice(0, half).flat(), endsAtMs);
    await runBatch(groups.slice(half).flat(), endsAtMs);
  }

  return (item) => {
    const promise = apart.find(item);
    if (promise) return promise;
    return new Promise((resolve, reject) => {
      if (waiting.length >= maxQueue) {
        reject(new DatabaseUnavailable(new Error('too many calls wait for the database')));
        return;
      }
      waiting.push({ item, resolve, reject });
      plan();
    });
  };
}

/** The queues of groups that waited for a lock: they hold up no other group. */
function createGroupsApart<Item, Result>(options: BatcherOptions<Item, Result>) {
  const { groupOf, ...own } = options;
  interface Apart {
    readonly call: (item: Item) => Promise<Result>;
    untilMs: number;
  }
  const apart = new Map<string, Apart>();

  function callIn(queue: Apart, item: Item): Promise<Result> {
    const promise = queue.call(item);
    promise.catch((error: unknown) => {
      const isLockWait = error instanceof DatabaseUnavailable && error.isLockWait;
      if (isLockWait) queue.untilMs = systemClock.steadyMs() + APART_MS;
    });
    return promise;
  }

  function forgetEnded(): void {
    const nowMs = systemClock.steadyMs();
    for (const [group, { untilMs }] of apart) if (untilMs <= nowMs) apart.delete(group);
  }

  return {
    /** The item's result, where its group has a queue of its own. */
    find(item: Item): Promise<Result> | null {
      if (apart.size === 0 || !groupOf) return null;
      forgetEnded();
      const queue = apart.get(groupOf(item));
      return queue ? callIn(queue, item) : null;
    },
    /** Gives the item's group a queue of its own; null: there are too many. */
    take(item: Item): Promise<Result> | null {
      if (!groupOf) return null;
      forgetEnded();
      const group = groupOf(item);
      let queue = apart.get(group);
      if (!queue) {
        if (apart.size >= MOST_GROUPS_APART) return null;
        const call = createBatcher<Item, Result>({ ...own, maxQueue: MAX_QUEUE_APART });
        queue = { call, untilMs: systemClock.steadyMs() + APART_MS };
        apart.set(group, queue);
      }
      return callIn(queue, item);
    },
  };
}

function byGroup<Each extends { readonly item: Item }, Item>(
  batch: readonly Each[],
  groupOf: (item: Item) => string,
): Each[][] {
  return [...Map.groupBy(batch, ({ item }) => groupOf(item)).values()];
}
