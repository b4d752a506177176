import { DatabaseUnavailable } from '#database/connection/database-unavailable.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import { BatchTurns } from './batch-turns.ts';
import { bisectBatch } from './bisect-batch.ts';
import { LockQueues } from './lock-queues.ts';

export interface BatcherOptions<Item, Result> {
  /**
   * Does all items or none; its results are in the items' order. A statement in it waits for a lock
   * for `lockWaitMs` at most; undefined: as long as any statement.
   */
  readonly run: (
    items: readonly Item[],
    lockWaitMs?: number | undefined,
  ) => Promise<readonly Result[]>;
  /** The most items of a batch. */
  readonly maxBatch: number;
  /** The most items that may wait; beyond it an item is rejected with DatabaseUnavailable. */
  readonly maxQueue: number;
  /** Called with the size of each batch, for metrics. */
  readonly onBatch?: (size: number) => void;
  /** Items of a group may wait for the same lock, such as their merchant's row. */
  readonly groupOf?: (item: Item) => string;
  /** Merges equal items that wait: they are done once, and have one result. */
  readonly merge?: boolean;
  /** Never runs two batches at once, however long a batch is blocked. */
  readonly isSerial?: boolean;
  /** The pause after a batch, by how many in a row met an unavailable database, and by its size. */
  readonly pauseMs?: (failures: number, size: number) => number;
  /** Whether an item that met an unavailable database is tried again, at a steady instant. */
  readonly mayRetry?: (item: Item, nextTryMs: number) => boolean;
  /** Rejects all items that wait when the database is unavailable: a stop then waits for none. */
  readonly rejectsQueue?: boolean;
  /** For the limits on time; the system's when left out. */
  readonly clock?: Pick<Clock, 'steadyMs'>;
}

/** No transaction of this service holds a lock longer; a batch of many groups waits no longer. */
const SHARED_LOCK_WAIT_MS = 300;
/** Seven failed batches find one locked group among a hundred; all items left then are rejected. */
const BISECT_LIMIT_MS = 3_000;
/** Without groups a batch waits for a lock for 5 s: one half of the batch is tried after that. */
const UNGROUPED_BISECT_LIMIT_MS = 8_000;
/** The queue of a locked group: more items would wait for longer than a caller does. */
const MAX_LOCK_QUEUE = 100;

interface Entry<Item, Result> {
  readonly item: Item;
  readonly promise: Promise<Result>;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** How a batch met an unavailable database. */
interface Outage<Item, Result> {
  /** The error of the last run that failed so; null: none did. */
  error: DatabaseUnavailable | null;
  /** The entries that may be tried again. */
  readonly entries: Entry<Item, Result>[];
}

/**
 * Batches items: one statement and one commit for many. A lone item is not delayed: its batch
 * starts in the next turn of the event loop. Items that arrive while a batch runs are the next.
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
  const batcher = new Batcher(options);
  return (item) => batcher.add(item);
}

class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #clock: Pick<Clock, 'steadyMs'>;
  readonly #turns: BatchTurns;
  readonly #queue: Entry<Item, Result>[] = [];
  /** The results of items that wait; null: equal items are not merged. */
  readonly #merged: Map<Item, Promise<Result>> | null;
  readonly #lockQueues: LockQueues<Item, Result> | null;
  readonly #bisectLimitMs: number;
  #failures = 0;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#merged = options.merge ? new Map() : null;
    this.#lockQueues = lockQueuesOf(options, this.#clock);
    this.#bisectLimitMs = this.#lockQueues ? BISECT_LIMIT_MS : UNGROUPED_BISECT_LIMIT_MS;
    this.#turns = new BatchTurns({
      mayOverlap: !options.isSerial,
      hasNext: () => this.#queue.length > 0,
      runNext: () => this.#runNext(),
    });
  }

  add(item: Item): Promise<Result> {
    const known = this.#lockQueues?.find(item) ?? this.#merged?.get(item);
    if (known) return known;
    if (this.#queue.length >= this.#options.maxQueue) return Promise.reject(tooManyWait());
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#queue.push({ item, promise, resolve, reject });
    this.#merged?.set(item, promise);
    this.#turns.plan();
    return promise;
  }

  async #runNext(): Promise<number> {
    const batch = this.#take(this.#options.maxBatch);
    const endsAtMs = this.#clock.steadyMs() + this.#bisectLimitMs;
    let outage: Outage<Item, Result> | null = null;
    try {
      await this.#run(batch);
    } catch (error) {
      outage = await this.#bisect(batch, error, endsAtMs);
    }
    this.#failures = outage?.error ? this.#failures + 1 : 0;
    const pauseMs = this.#options.pauseMs?.(this.#failures, batch.length) ?? 0;
    if (outage?.error) this.#retryOrReject(outage, outage.error, pauseMs);
    return pauseMs;
  }

  #take(count: number): Entry<Item, Result>[] {
    const entries = this.#queue.splice(0, count);
    // An equal item that arrives from now on may need what happens from now on.
    if (this.#merged) for (const { item } of entries) this.#merged.delete(item);
    return entries;
  }

  async #bisect(
    batch: readonly Entry<Item, Result>[],
    batchError: unknown,
    endsAtMs: number,
  ): Promise<Outage<Item, Result>> {
    const outage: Outage<Item, Result> = { error: null, entries: [] };
    const isOver = () => this.#clock.steadyMs() >= endsAtMs;
    await bisectBatch(batch, batchError, {
      run: (entries) => this.#run(entries),
      partsOf: (entries, error) => this.#partsOf(entries, error, isOver),
      giveUp: (entries, error) => {
        const mayWaitApart = isLockWait(error) && !isOver();
        const rest = mayWaitApart ? entries.filter((entry) => !this.#queueApart(entry)) : entries;
        if (rest.length > 0) this.#giveUp(rest, error, outage);
      },
    });
    return outage;
  }

  #queueApart({ item, resolve, reject }: Entry<Item, Result>): boolean {
    const promise = this.#lockQueues?.take(item);
    promise?.then(resolve, reject);
    return promise != null;
  }

  #giveUp(
    entries: readonly Entry<Item, Result>[],
    error: unknown,
    outage: Outage<Item, Result>,
  ): void {
    const isUnavailable = error instanceof DatabaseUnavailable;
    if (isUnavailable) outage.error = error;
    if (isUnavailable && this.#options.mayRetry) outage.entries.push(...entries);
    else for (const { reject } of entries) reject(error);
  }

  async #run(entries: readonly Entry<Item, Result>[]): Promise<void> {
    const { run, onBatch } = this.#options;
    onBatch?.(entries.length);
    const items = entries.map(({ item }) => item);
    const results = await (this.#lockQueues ? run(items, SHARED_LOCK_WAIT_MS) : run(items));
    entries.forEach(({ resolve }, index) => {
      resolve(results[index] as Result);
    });
  }

  #partsOf(
    entries: readonly Entry<Item, Result>[],
    error: unknown,
    isOver: () => boolean,
  ): readonly (readonly Entry<Item, Result>[])[] {
    const { groupOf, isSerial } = this.#options;
    const isUnavailable = error instanceof DatabaseUnavailable;
    // A serial batcher has one batch at a time: each further run would wait for the lock again.
    if (isUnavailable && (isSerial || !isLockWait(error) || isOver())) return [];
    if (!isUnavailable || !groupOf) return entries.map((entry) => [entry]);
    return [...Map.groupBy(entries, ({ item }) => groupOf(item)).values()];
  }

  #retryOrReject(
    { entries }: Outage<Item, Result>,
    error: DatabaseUnavailable,
    pauseMs: number,
  ): void {
    const { mayRetry, rejectsQueue } = this.#options;
    const nextTryMs = this.#clock.steadyMs() + pauseMs;
    const again: Entry<Item, Result>[] = [];
    for (const entry of entries) {
      if (mayRetry?.(entry.item, nextTryMs)) again.push(entry);
      else entry.reject(error);
    }
    this.#queue.unshift(...again.filter((entry) => !this.#mergeAgain(entry)));
    if (!rejectsQueue) return;
    for (const { reject } of this.#take(this.#queue.length)) reject(error);
  }

  /** Whether an equal item has arrived since, whose result the entry then has. */
  #mergeAgain({ item, promise, resolve, reject }: Entry<Item, Result>): boolean {
    const newer = this.#merged?.get(item);
    newer?.then(resolve, reject);
    if (!newer) this.#merged?.set(item, promise);
    return newer !== undefined;
  }
}

function lockQueuesOf<Item, Result>(
  options: BatcherOptions<Item, Result>,
  clock: Pick<Clock, 'steadyMs'>,
): LockQueues<Item, Result> | null {
  const { groupOf, ...own } = options;
  if (!groupOf) return null;
  const open = () => createBatcher<Item, Result>({ ...own, maxQueue: MAX_LOCK_QUEUE });
  return new LockQueues({ groupOf, open, clock });
}

function isLockWait(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && error.isLockWait;
}

function tooManyWait(): DatabaseUnavailable {
  return new DatabaseUnavailable(new Error('too many calls wait for the database'));
}
