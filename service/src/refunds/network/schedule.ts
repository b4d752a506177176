import { type BankCalendar, isWorkingDay } from '#lib/bank/bank-calendar.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** The wait after each poll that changed nothing; the last wait repeats. */
const WAITS = {
  /** The network has not begun it, or was not reached. */
  CREATED: [10, 30, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR],
  /** Seconds for an e-transfer, days for a bank; a report may have been lost. */
  PROCESSING: [10, 30, MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR],
} as const;

/** A resumed merchant's refunds leave within this time. */
export const HELD_SECONDS = 30;
/** @param polls how many there have been in this status. */
export function secondsToNextPoll(status: 'CREATED' | 'PROCESSING', polls: number): number {
  const waits = WAITS[status];
  return waits[Math.min(Math.max(polls, 1), waits.length) - 1] ?? waits[0];
}

/** Banks execute a transfer within a day or two; after a week an operator asks the bank. */
export const OVERDUE_WORKING_DAYS = 5;

const DAY_MS = 24 * HOUR * 1_000;
const MOST_DAYS = 31;

/**
 * The days of 24 hours from one instant to another that end on a working day (UTC); at most 31.
 */
export function workingDaysBetween(calendar: BankCalendar, from: Date, to: Date): number {
  const days = Math.min(MOST_DAYS, Math.floor((to.getTime() - from.getTime()) / DAY_MS));
  let working = 0;
  for (let day = 1; day <= days; day++) {
    if (isWorkingDay(calendar, new Date(from.getTime() + day * DAY_MS))) working += 1;
  }
  return working;
}
