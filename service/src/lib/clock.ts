/** The one way to the time: production reads the system, tests hand in a clock they can move. */
export interface Clock {
  /** The current instant. */
  now(): Date;
  /** Milliseconds of a steady counter, for durations; unrelated to the calendar. */
  steadyMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  steadyMs: () => performance.now(),
};
