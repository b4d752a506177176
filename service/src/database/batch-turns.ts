import { runOutsideCalls } from '#lib/call-context.ts';

/**
 * A batch takes 1 to 20 ms, a hundred rows on a slow disk 50. A longer batch is blocked: it waits
 * for a lock, and items that need no such lock shall not wait behind it.
 */
const BLOCKED_MS = 100;

export interface BatchWork {
  /** Whether a second batch may start beside one that is blocked. */
  readonly mayOverlap: boolean;
  hasNext(): boolean;
  /** Runs the next batch; never throws. @returns the pause after it, in milliseconds */
  runNext(): Promise<number>;
}

/**
 * Decides when a batch starts. Batches run one at a time, because two batches of half the size cost
 * more: each pays for a round trip and a commit. A second batch may start when the first is blocked
 * for 100 ms; there is no third.
 */
export class BatchTurns {
  readonly #work: BatchWork;
  #running = 0;
  #blocked = 0;
  #isPlanned = false;

  constructor(work: BatchWork) {
    this.#work = work;
  }

  /**
   * Starts the next batch if it may start. It starts in the event loop's next turn: until then
   * everything that arrived in the same millisecond joins the batch.
   */
  plan(): void {
    if (this.#isPlanned || !this.#mayStart()) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      // A batch belongs to no single call: nothing in it may take the request id of its first call.
      void runOutsideCalls(() => this.#runAll());
    });
  }

  #mayStart(): boolean {
    const isFree = this.#running === 0 || (this.#running === 1 && this.#blocked === 1);
    return isFree && this.#work.hasNext();
  }

  async #runAll(): Promise<void> {
    while (this.#mayStart()) await this.#runOne();
  }

  async #runOne(): Promise<void> {
    this.#running += 1;
    let isBlocked = false;
    const onBlocked = () => {
      isBlocked = true;
      this.#blocked += 1;
      this.plan();
    };
    const watch = this.#work.mayOverlap ? setTimeout(onBlocked, BLOCKED_MS) : undefined;
    const pauseMs = await this.#work.runNext();
    clearTimeout(watch);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    this.#running -= 1;
    if (isBlocked) this.#blocked -= 1;
  }
}
