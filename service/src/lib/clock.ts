/** The one way to the time: production reads the system, tests hand in a clock they can move. */
export interface Clock {
  /** The current instant. */
  now(): Date;
  /** Milliseconds of a steady counter, for durations; unrelated to the calendar. */
  steadyMs(): number;
}

/** A clock that goes by the database's, once they have been compared. */
export interface DatabaseClock extends Clock {
  /** This host's own calendar clock, uncorrected. */
  hostNow(): Date;
  /** From now on `now` gives the database's time, which was `databaseMs` at this steady moment. */
  follow(databaseMs: number, atSteadyMs: number): void;
}

export interface ClockSource {
  /** Milliseconds since 1970 by the host's calendar clock, which may be set at any moment. */
  readonly hostMs: () => number;
  readonly steadyMs: () => number;
}

const SYSTEM: ClockSource = { hostMs: () => Date.now(), steadyMs: () => performance.now() };

/**
 * Before the first comparison `now` is the host's time. After it, `now` is the database's time plus
 * what the steady counter has counted since: a step of the host's clock does not move it.
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
