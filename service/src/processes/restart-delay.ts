/** A crash is usually one request's or one moment's: the place is empty for a tenth of a second. */
const FIRST_DELAY_MS = 100;
/** What fails at once, again and again, must not take the machine from the others. */
const LONGEST_DELAY_MS = 10_000;
/** A process that ran this long had started well: what ends it is another fault. */
const WELL_AFTER_MS = 60_000;

export interface RestartDelay {
  /** How long to wait before the process is started again. @param ranForMs the one that ended */
  next(ranForMs: number): number;
}

/** Doubles with every end that comes soon after the start, from 100 ms up to 10 s. */
export function createRestartDelay(): RestartDelay {
  let soonEnds = 0;
  return {
    next(ranForMs) {
      if (ranForMs >= WELL_AFTER_MS) soonEnds = 0;
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** soonEnds, LONGEST_DELAY_MS);
      soonEnds += 1;
      return delayMs;
    },
  };
}
