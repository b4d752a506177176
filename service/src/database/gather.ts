import { runOutsideCalls } from '#lib/call-context.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';

export interface GatherOptions<Item, Result> {
  /** Does many at once; answers in the items' order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** The most items of one run. */
  readonly most: number;
  /** The most items that may wait; beyond it a caller is told to come back. */
  readonly mostWaiting: number;
  /** Told how many items each run had, for metrics. */
  readonly onRun?: (size: number) => void;
}

/**
 * A run takes 1 to 20 ms, a hundred rows on a slow disk 50. One that takes longer waits for a lock,
 * and what has nothing to do with that shall not.
 */
const HELD_UP_MS = 100;

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
 * Failures do not mix: where a run fails over one of its items, its halves are run again and then
 * theirs, so that only the bad one fails, after a few runs and not one for each.
 *
 * @returns the call for one item. It throws what `run` throws for that item alone, and
 *          DatabaseUnavailable when too many wait.
 */
export function gather<Item, Result>(
  options: GatherOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { run, most, mostWaiting, onRun } = options;
  const waiting: Waiting<Item, Result>[] = [];
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
      // The batch belongs to none of its calls.
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
    await runBatch(waiting.splice(0, most));
    clearTimeout(timer);
    running -= 1;
    if (isHeldUp) heldUp -= 1;
  }

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    onRun?.(batch.length);
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      const isShared = batch.length === 1 || error instanceof DatabaseUnavailable;
      if (isShared) {
        for (const { reject } of batch) reject(error);
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await runBatch(batch.slice(0, half));
      await runBatch(batch.slice(half));
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= mostWaiting) {
        reject(new DatabaseUnavailable(new Error('too many calls wait for the database')));
        return;
      }
      waiting.push({ item, resolve, reject });
      plan();
    });
}
