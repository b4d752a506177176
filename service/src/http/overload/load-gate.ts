import type { Clock } from '#lib/clock.ts';

/**
 * The lower bound of permits: one statement of a hundred creations, which is the database's batch,
 * and three more that wait to be next. With 200, an overloaded process served a third of its
 * capacity, because the database waited for the process.
 */
const MIN_PERMITS = 400;
/** The upper bound: by Little's law a fifth of a second's work at 5,000 calls a second. */
const MAX_PERMITS = 1_000;
/** For people who are paying: a quarter more, which merchants' calls never take. */
const RESERVE = 1.25;
/** The average time of a call. A create takes 5 to 50 ms; beyond twice that it queues. */
const TARGET_MS = 100;
/** The interval of an adjustment: long enough for a hundred calls, short against any time-out. */
const INTERVAL_MS = 100;
/**
 * The gate goes from the most permits to the fewest in less than two seconds, and back in about as
 * long.
 */
const SHRINK = 0.9;
const GROW = 1.1;

/** The origin of a call: a merchant's program, or a person with a page open. */
export type TrafficClass = 'merchant' | 'person';

/** The right of one call to be worked on. */
export interface Permit {
  /** Ends the call, or lets it wait for an event. A second release does nothing. */
  release(): void;
  /** Gives the permit to others while the call's body arrives. The measure leaves that time out. */
  pause(): void;
  /** Takes a permit again after `pause`. @returns false: none is left; the call is refused. */
  resume(): boolean;
}

/**
 * Bounds how many calls one process works on at once, so that accepted calls are answered in time.
 * Little's law: the calls in flight are the calls that end in a second, times the time of each.
 * Bounding concurrency therefore bounds latency.
 *
 * The gate derives the average time of a call from two counts. While the average is above 100 ms,
 * because the processor is shared or the database is slow, the bound shrinks, down to 400.
 * Otherwise the bound grows, up to 1,000. The gate adjusts when calls come and go, without a timer.
 */
export class LoadGate {
  readonly #clock: Pick<Clock, 'steadyMs'>;
  #permits = MAX_PERMITS;
  #inFlight = 0;
  // Since the last adjustment: the sum of all calls' times, and how many calls ended.
  #sinceMs: number;
  #countedMs: number;
  #spentMs = 0;
  #ended = 0;

  constructor(clock: Pick<Clock, 'steadyMs'>) {
    this.#clock = clock;
    this.#sinceMs = clock.steadyMs();
    this.#countedMs = this.#sinceMs;
  }

  /**
   * @param isReserved whether the call may use the reserve
   * @returns null: no permit is left, and the call is refused at once
   */
  enter(isReserved: boolean): Permit | null {
    if (this.isFull(isReserved)) return null;
    this.change(1);
    return new CallPermit(this, isReserved);
  }

  load(): { readonly inFlight: number; readonly permits: number } {
    return { inFlight: this.#inFlight, permits: this.#permits };
  }

  isFull(isReserved: boolean): boolean {
    return this.#inFlight >= (isReserved ? this.#permits * RESERVE : this.#permits);
  }

  /** Counts a call in or out; for permits. */
  change(by: 1 | -1, ends = 0): void {
    const nowMs = this.#clock.steadyMs();
    this.#spentMs += this.#inFlight * (nowMs - this.#countedMs);
    this.#countedMs = nowMs;
    this.#inFlight += by;
    this.#ended += ends;
    if (nowMs - this.#sinceMs >= INTERVAL_MS) this.#adjust(nowMs);
  }

  #adjust(nowMs: number): void {
    const average = this.#spentMs / (nowMs - this.#sinceMs);
    const isSlow = this.#spentMs > this.#ended * TARGET_MS;
    // A few slow calls are no queue.
    this.#permits =
      isSlow && average >= MIN_PERMITS
        ? Math.max(MIN_PERMITS, Math.floor(this.#permits * SHRINK))
        : Math.min(MAX_PERMITS, Math.ceil(this.#permits * GROW));
    this.#sinceMs = nowMs;
    this.#spentMs = 0;
    this.#ended = 0;
  }
}

class CallPermit implements Permit {
  #state: 'taken' | 'paused' | 'released' = 'taken';
  readonly #gate: LoadGate;
  readonly #isReserved: boolean;

  constructor(gate: LoadGate, isReserved: boolean) {
    this.#gate = gate;
    this.#isReserved = isReserved;
  }

  release(): void {
    if (this.#state === 'taken') this.#gate.change(-1, 1);
    this.#state = 'released';
  }

  pause(): void {
    if (this.#state !== 'taken') return;
    this.#state = 'paused';
    this.#gate.change(-1);
  }

  resume(): boolean {
    if (this.#state !== 'paused') return true;
    if (this.#gate.isFull(this.#isReserved)) return false;
    this.#state = 'taken';
    this.#gate.change(1);
    return true;
  }
}
