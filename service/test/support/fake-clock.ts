import type { Clock } from '#lib/clock.ts';

export interface FakeClock extends Clock {
  advance(milliseconds: number): void;
}

/** A clock that stands still until a test moves it. */
export function createFakeClock(start = new Date('2026-03-01T12:00:00.000Z')): FakeClock {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    steadyMs: () => performance.now() + (now - start.getTime()),
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}
