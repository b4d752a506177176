import type { Clock } from '#lib/clock.ts';

/** A Sunday, so that a span of days meets a weekend and a month's end. */
const START_MS = Date.parse('2026-03-01T09:00:00.000Z');

/** The calendar may be set back; the monotonic counter only grows. */
export class FakeClock implements Clock {
  #calendarMs = START_MS;
  #steadyMs = 0;

  now(): Date {
    return new Date(this.#calendarMs);
  }

  steadyMs(): number {
    return this.#steadyMs;
  }

  advance(milliseconds: number): void {
    this.#calendarMs += milliseconds;
    this.#steadyMs += milliseconds;
  }

  /** Sets the calendar without time having passed. */
  step(milliseconds: number): void {
    this.#calendarMs += milliseconds;
  }
}
