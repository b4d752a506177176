const DAY_MS = 86_400_000;
const [SUNDAY, MONDAY, THURSDAY, SATURDAY] = [0, 1, 4, 6];

/** The day on which banks are closed instead of one that falls on a weekend. */
type Moves =
  | 'stays'
  /** Monday instead of Sunday; a Saturday closes no other day. */
  | 'sunday'
  /** The next day on which banks are open. */
  | 'moves';

/** A closing day of a year, in days since 1970, and where it moves. */
type Closing = readonly [dayOf: (year: number) => number, moves: Moves];

const dayNumber = (year: number, month: number, day: number): number =>
  Date.UTC(year, month - 1, day) / DAY_MS;
/** 1 January 1970 was a Thursday. */
const weekdayOf = (day: number): number => (day + 4) % 7;

const on = (month: number, day: number, moves: Moves = 'stays'): Closing => [
  (year) => dayNumber(year, month, day),
  moves,
];
/** The first such weekday from the day on: 15 January has the third Monday in its week. */
const from = (month: number, day: number, weekday = MONDAY): Closing => [
  (year) => {
    const first = dayNumber(year, month, day);
    return first + ((weekday - weekdayOf(first) + 7) % 7);
  },
  'stays',
];
const easter = (daysAfter: number): Closing => [(year) => easterOf(year) + daysAfter, 'stays'];
const GOOD_FRIDAY = easter(-2);
const EASTER_MONDAY = easter(1);

/**
 * The closing days of banks beside Saturdays and Sundays. 26 December stands before 25 December: it
 * keeps its Monday, and Christmas Day on a Sunday moves behind it. One-off days are in no table.
 *
 * - TARGET: European Central Bank, "TARGET working days", decision ECB/2000/NP15.
 * - CA: Payments Canada, with Family Day and the Civic Holiday, on which no credit is booked.
 * - US: Federal Reserve Banks, "Holiday Schedules": no other day closes for a Saturday.
 * - GB: gov.uk, "UK bank holidays", England and Wales, which Bacs and CHAPS follow.
 * - AU: Reserve Bank of Australia, RITS: public holidays of both New South Wales and Victoria.
 */
const CALENDARS = {
  TARGET: [on(1, 1), GOOD_FRIDAY, EASTER_MONDAY, on(5, 1), on(12, 25), on(12, 26)],
  CA: [
    ...[on(1, 1, 'moves'), from(2, 15), GOOD_FRIDAY, from(5, 18), on(7, 1, 'moves'), from(8, 1)],
    ...[from(9, 1), on(9, 30, 'moves'), from(10, 8), on(11, 11, 'moves')],
    ...[on(12, 26, 'moves'), on(12, 25, 'moves')],
  ],
  US: [
    ...[on(1, 1, 'sunday'), from(1, 15), from(2, 15), from(5, 25), on(6, 19, 'sunday')],
    ...[on(7, 4, 'sunday'), from(9, 1), from(10, 8), on(11, 11, 'sunday')],
    ...[from(11, 22, THURSDAY), on(12, 25, 'sunday')],
  ],
  GB: [
    ...[on(1, 1, 'moves'), GOOD_FRIDAY, EASTER_MONDAY, from(5, 1), from(5, 25), from(8, 25)],
    ...[on(12, 26, 'moves'), on(12, 25, 'moves')],
  ],
  AU: [
    ...[on(1, 1, 'moves'), on(1, 26, 'moves'), GOOD_FRIDAY, EASTER_MONDAY, on(4, 25), from(6, 8)],
    ...[on(12, 26, 'moves'), on(12, 25, 'moves')],
  ],
  WEEKDAYS: [],
} as const satisfies Readonly<Record<string, readonly Closing[]>>;

/** `BANK_CALENDAR`: the table by which every rule on working days counts. */
export type BankCalendar = keyof typeof CALENDARS;
export const BANK_CALENDARS = Object.keys(CALENDARS) as readonly BankCalendar[];

const BY_CURRENCY = new Map<string, BankCalendar>([
  ['CAD', 'CA'],
  ['USD', 'US'],
  ['GBP', 'GB'],
  ['AUD', 'AU'],
]);
/** The calendar where none is set: Europe's other banks close on nearly the days of TARGET. */
export const calendarOf = (currency: string): BankCalendar => BY_CURRENCY.get(currency) ?? 'TARGET';

/** Whether banks book on the day (UTC). */
export function isWorkingDay(calendar: BankCalendar, instant: Date): boolean {
  const day = Math.floor(instant.getTime() / DAY_MS);
  return !isWeekend(day) && !closingsOf(calendar, instant.getUTCFullYear()).has(day);
}

/**
 * The first day from `day` on that is a working day: on it, banks settle a payment.
 *
 * @param day as in `2026-03-01`
 */
export function workingDayFrom(calendar: BankCalendar, day: string): string {
  let instant = new Date(`${day}T00:00:00Z`);
  while (!isWorkingDay(calendar, instant)) instant = new Date(instant.getTime() + DAY_MS);
  return instant.toISOString().slice(0, 10);
}

/** The whole working days between two instants (UTC); at most those of a year. */
export function workingDaysBetween(calendar: BankCalendar, since: Date, now: Date): number {
  const first = Math.floor(since.getTime() / DAY_MS) + 1;
  const last = Math.floor(now.getTime() / DAY_MS);
  // A year bounds the loop: longer silences make no difference.
  const days = Math.min(Math.max(0, last - first), 366);
  const passed = Array.from({ length: days }, (_, n) => new Date((first + n) * DAY_MS));
  return passed.filter((each) => isWorkingDay(calendar, each)).length;
}

function closingsOf(calendar: BankCalendar, year: number): ReadonlySet<number> {
  const closed = new Set<number>();
  for (const [dayOf, moves] of CALENDARS[calendar] as readonly Closing[]) {
    let day = dayOf(year);
    if (moves === 'sunday' && weekdayOf(day) === SUNDAY) day += 1;
    while (moves === 'moves' && (isWeekend(day) || closed.has(day))) day += 1;
    closed.add(day);
  }
  return closed;
}

const isWeekend = (day: number): boolean => [SATURDAY, SUNDAY].includes(weekdayOf(day));

/**
 * Easter Sunday of a year in days since 1970, by the Gregorian computus of Meeus, Jones and
 * Butcher: the letters of the published formula have no shorter names.
 */
function easterOf(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  return dayNumber(year, 3, h + l - 7 * m + 22);
}
