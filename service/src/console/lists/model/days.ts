import { dateIn, datesUntil, isDate, nextDate, startOfDate } from '#ledger/model/day.ts';

/** Spans that end today, by their number of days: in a saved view they move with the calendar. */
export const PERIODS = { today: 1, '7d': 7, '30d': 30, '90d': 90 } as const;
export type Period = keyof typeof PERIODS;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

export function isPeriod(text: string): text is Period {
  return Object.hasOwn(PERIODS, text);
}

/** Whether a text is a day of the calendar, as `2026-03-01`. */
export function isDay(text: string): boolean {
  return DATE.test(text) && isDate(text);
}

/** The first instant of a day in a time zone. */
export function startOfDay(day: string, timeZone: string): string {
  return startOfDate(day, timeZone).toISOString();
}

/** The end of a day: the first instant of the next. */
export function endOfDay(day: string, timeZone: string): string {
  return startOfDay(nextDate(day), timeZone);
}

/** The first day of a period. */
export function firstDayOf(period: Period, now: Date, timeZone: string): string {
  return datesUntil(dateIn(now, timeZone), PERIODS[period])[0] ?? '';
}
