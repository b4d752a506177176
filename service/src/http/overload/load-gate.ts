import type { Clock } from '#lib/clock.ts';

/**
 * The fewest calls that are worked on at once: a statement of a hundred creations, which is what
 * the database is given at a time, and three more that wait to be next. With 200, a process that
 * had to refuse much served a third of what it could: the database waited for it.
 */
const FEWEST_PLACES = 400;
/** The most: by Little's law a fifth of a second's work at 5,000 calls a second. */
const MOST_PLACES = 1_000;
/** For people who are paying: a quarter more, which merchants' calls never take. */
const RESERVE = 1.25;
/** How long a call may take on average. A create takes 5 to 50 ms; beyond twice that it queues. */
const TARGET_MS = 100;
/** What is judged at a time: long enough for a hundred calls, short against any time-out. */
const INTERVAL_MS = 100;
/** From the most places to the fewest in less than two seconds, and back in about as long. */
const SHRINK = 0.9;
const GROW = 1.1;

/** The place of one call among those that are worked on. */
export interface Place {
  /** Ends the call, or lets it wait for an event. A second time nothing happens. */
  leave(): void;
  /** Gives the place to others while the call's body arrives. The measure leaves that time out. */
  pause(): void;
  /** Takes a place again after `pause`. @returns false: there is none; the call is refused. */
  resume(): boolean;
}

export interface LoadGate {
  /** @returns a place; null: there is none, the call is to be refused at once. */
  enter(isReserved: boolean): Place | null;
  load(): { readonly inFlight: number; readonly places: number };
}

/**
 * Bounds how many calls one process works on at once, so that the calls it takes are answered in
 * time. Little's law: the calls under way are the calls that end in a second, times how long each
 * takes. A bound on their number therefore bounds the time.
 *
 * The two counts alone tell how long a call takes. While that is more than 100 ms, because the
 * processor is shared or the database is slow, the bound shrinks, down to 400; else it grows, up to
 * 1,000. The gate judges this when calls come and go, without a timer.
 */
export function createLoadGate(clock: Pick<Clock, 'steadyMs'>): LoadGate {
  let places = MOST_PLACES;
  let inFlight = 0;
  // Since the last judgement: the sum of all calls' times, and how many calls ended.
  let sinceMs = clock.steadyMs();
  let countedMs = sinceMs;
  let spentMs = 0;
  let ended = 0;

  function change(by: 1 | -1, ends = 0): void {
    const nowMs = clock.steadyMs();
    spentMs += inFlight * (nowMs - countedMs);
    countedMs = nowMs;
    inFlight += by;
    ended += ends;
    if (nowMs - sinceMs >= INTERVAL_MS) judge(nowMs);
  }

  function judge(nowMs: number): void {
    const average = spentMs / (nowMs - sinceMs);
    const isSlow = spentMs > ended * TARGET_MS;
    // A few slow calls are no queue.
    if (isSlow && average >= FEWEST_PLACES) {
      places = Math.max(FEWEST_PLACES, Math.floor(places * SHRINK));
    } else {
      places = Math.min(MOST_PLACES, Math.ceil(places * GROW));
    }
    sinceMs = nowMs;
    spentMs = 0;
    ended = 0;
  }

  const isFull = (isReserved: boolean) => inFlight >= (isReserved ? places * RESERVE : places);

  /** A class, because each call makes one: its functions are made once. */
  class CallPlace implements Place {
    #state: 'taken' | 'paused' | 'left' = 'taken';
    readonly #isReserved: boolean;

    constructor(isReserved: boolean) {
      this.#isReserved = isReserved;
    }

    leave(): void {
      if (this.#state === 'taken') change(-1, 1);
      this.#state = 'left';
    }

    pause(): void {
      if (this.#state !== 'taken') return;
      this.#state = 'paused';
      change(-1);
    }

    resume(): boolean {
      if (this.#state !== 'paused') return true;
      if (isFull(this.#isReserved)) return false;
      this.#state = 'taken';
      change(1);
      return true;
    }
  }

  return {
    enter(isReserved) {
      if (isFull(isReserved)) return null;
      change(1);
      return new CallPlace(isReserved);
    },
    load: () => ({ inFlight, places }),
  };
}
