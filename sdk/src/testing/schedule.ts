/** Work that falls due at an instant of the clock that the test moves. */
export interface Schedule {
  now(): Date;
  /** @param run is awaited, before anything that falls due later */
  at(dueMs: number, run: () => void | Promise<void>): void;
  /** Moves the clock, and does what falls due in the order of its instants. */
  advance(seconds: number): Promise<void>;
  /** Moves the clock until a condition holds, at most by so many seconds. */
  advanceUntil(isDone: () => boolean, seconds: number): Promise<void>;
}

/** Far above the work of any test: a listener that fails for a year has 11 attempts an event. */
const MOST_STEPS = 100_000;

export function createSchedule(startsAt: Date): Schedule {
  let nowMs = startsAt.getTime();
  let due: { readonly dueMs: number; readonly run: () => void | Promise<void> }[] = [];
  let tail: Promise<void> = Promise.resolve();
  let isRunning = false;

  async function run(isDone: () => boolean, endMs: number): Promise<void> {
    isRunning = true;
    try {
      for (let step = 0; step < MOST_STEPS; step += 1) {
        if (isDone()) return;
        // The sort is stable: work of one instant keeps its order.
        due.sort((one, other) => one.dueMs - other.dueMs);
        const [next] = due;
        if (!next || next.dueMs > endMs) {
          nowMs = Math.max(nowMs, endMs);
          return;
        }
        due = due.slice(1);
        nowMs = Math.max(nowMs, next.dueMs);
        await next.run();
      }
      throw new Error(`The time was moved over more than ${MOST_STEPS} steps: move it by less.`);
    } finally {
      isRunning = false;
    }
  }

  function endAfter(seconds: number): number {
    const endMs = nowMs + seconds * 1000;
    if (Number.isNaN(new Date(endMs).getTime())) throw new RangeError(`${seconds} s lead nowhere.`);
    return endMs;
  }

  function advanceUntil(isDone: () => boolean, seconds: number): Promise<void> {
    // A listener that calls the service in the middle of the work waits for none of it.
    if (isRunning) return Promise.resolve();
    tail = tail.catch(() => {}).then(() => run(isDone, endAfter(seconds)));
    return tail;
  }

  return {
    now: () => new Date(nowMs),
    at: (dueMs, work) => void due.push({ dueMs, run: work }),
    advance: (seconds) => advanceUntil(() => false, seconds),
    advanceUntil,
  };
}
