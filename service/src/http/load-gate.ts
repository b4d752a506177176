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
  /** The call is over, or waits for something that costs nothing. Again: nothing happens. */
  leave(): void;
}

export interface LoadGate {
  /** @returns a place; null: there is none, the call is to be refused at once. */
  enter(isReserved: boolean): Place | null;
  load(): { readonly inFlight: number; readonly places: number };
}

/**
 * Bounds how many calls one process works on at once, so that what it serves is served in time
 * whatever is asked of it. Little's law: how many are under way is how many end in a second, times
 * how long each takes. So where the number is bounded, time cannot run away.
 *
 * And what a call takes can be told from the two counts alone. While that is more than 100 ms, as
 * it is where the processor is shared or the database is slow, the bound shrinks, down to 400; else
 * it grows, up to 1,000. It is judged when calls come and go, without a timer.
 */
export function createLoadGate(clock: Pick<Clock, 'steadyMs'>): LoadGate {
  let places = MOST_PLACES;
  let inFlight = 0;
  // Since the last judgement: the sum of all calls' times, and how many calls ended.
  let sinceMs = clock.steadyMs();
  let countedMs = sinceMs;
  let spentMs = 0;
  let ended = 0;

  function change(by: 1 | -1): void {
    const nowMs = clock.steadyMs();
    spentMs += inFlight * (nowMs - countedMs);
    countedMs = nowMs;
    inFlight += by;
    if (by === -1) ended += 1;
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

  return {
    enter(isReserved) {
      if (inFlight >= (isReserved ? places * RESERVE : places)) return null;
      change(1);
      let isOver = false;
      return {
        leave() {
          if (isOver) return;
          isOver = true;
          change(-1);
        },
      };
    },
    load: () => ({ inFlight, places }),
  };
}
