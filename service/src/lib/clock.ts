/** The only source of time: production reads the system, tests pass a clock that they can move. */
export interface Clock {
  /** The current instant. */
  now(): Date;
  /** Milliseconds of a monotonic counter, for durations; unrelated to the calendar. */
  steadyMs(): number;
}

/** A clock that follows the database's clock after the first comparison. */
export interface DatabaseClock extends Clock {
  /** This host's own calendar clock, uncorrected. */
  hostNow(): Date;
  /**
   * After this call `now` gives the database's time, which was `databaseMs` at this monotonic
   * instant.
   */
  follow(databaseMs: number, atSteadyMs: number): void;
}

export interface ClockSource {
  /** Milliseconds since 1970 by the host's calendar clock, which may be set at any moment. */
  readonly hostMs: () => number;
  readonly steadyMs: () => number;
}

const SYSTEM: ClockSource = { hostMs: () => Date.now(), steadyMs: () => performance.now() };

/**
 * Before the first comparison `now` is the host's time. After a comparison, `now` is the database's
 * time plus the progress of the monotonic counter: a step of the host's clock does not change
 * `now`.
 */
export function createDatabaseClock({ hostMs, steadyMs }: ClockSource = SYSTEM): DatabaseClock {
  let aheadOfSteadyMs: number | null = null;
  return {
    now: () => new Date(aheadOfSteadyMs === null ? hostMs() : steadyMs() + aheadOfSteadyMs),
    steadyMs,
    hostNow: () => new Date(hostMs()),
    follow(databaseMs, atSteadyMs) {
      aheadOfSteadyMs = databaseMs - atSteadyMs;
    },
  };
}

export const systemClock: DatabaseClock = createDatabaseClock();
