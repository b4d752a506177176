/**
 * A crash usually belongs to one request or one moment: the place stays empty for a tenth of a
 * second.
 */
const FIRST_DELAY_MS = 100;
/** A process that fails repeatedly at its start must not take the machine from the others. */
const LONGEST_DELAY_MS = 10_000;
/** A process that ran this long had a good start: a later end has another cause. */
const WELL_AFTER_MS = 60_000;

export type RestartDelay = ReturnType<typeof createRestartDelay>;

/** The wait doubles with every end soon after a start, from 100 ms up to 10 s. */
export function createRestartDelay() {
  let soonEnds = 0;
  return {
    /**
     * The wait before the process is started again. @param ranForMs the running time of the ended
     * process
     */
    next(ranForMs: number) {
      if (ranForMs >= WELL_AFTER_MS) soonEnds = 0;
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** soonEnds, LONGEST_DELAY_MS);
      soonEnds += 1;
      return delayMs;
    },
  };
}
