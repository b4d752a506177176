import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  BANK_CALENDARS,
  type BankCalendar,
  calendarOf,
  isWorkingDay,
  workingDayFrom,
  workingDaysBetween,
} from '#lib/bank/bank-calendar.ts';

/** The days from Monday to Friday on which banks are closed, as published. */
const CLOSED: Readonly<Record<BankCalendar, Readonly<Record<number, string>>>> = {
  TARGET: {
    2024: '01-01 03-29 04-01 05-01 12-25 12-26',
    2025: '01-01 04-18 04-21 05-01 12-25 12-26',
    2026: '01-01 04-03 04-06 05-01 12-25',
    2027: '01-01 03-26 03-29',
    2038: '01-01 04-23 04-26',
    2049: '01-01 04-16 04-19',
  },
  CA: {
    2023: '01-02 02-20 04-07 05-22 07-03 08-07 09-04 10-02 10-09 11-13 12-25 12-26',
    2024: '01-01 02-19 03-29 05-20 07-01 08-05 09-02 09-30 10-14 11-11 12-25 12-26',
    2026: '01-01 02-16 04-03 05-18 07-01 08-03 09-07 09-30 10-12 11-11 12-25 12-28',
  },
  US: {
    2022: '01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26',
    2026: '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25',
    2027: '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25',
  },
  GB: {
    2026: '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28',
    2027: '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28',
    2033: '01-03 04-15 04-18 05-02 05-30 08-29 12-26 12-27',
  },
  AU: {
    2025: '01-01 01-27 04-18 04-21 04-25 06-09 12-25 12-26',
    2026: '01-01 01-26 04-03 04-06 06-08 12-25 12-28',
    2027: '01-01 01-26 03-26 03-29 06-14 12-27 12-28',
  },
  WEEKDAYS: { 2026: '' },
};
const DAYS_OF_YEAR = Array.from({ length: 366 }, (_, n) => n + 1);

describe('the calendar of a bank', () => {
  for (const calendar of BANK_CALENDARS) {
    for (const [year, days] of Object.entries(CLOSED[calendar])) {
      it(`${calendar} has the closing days of ${year}, and no other ones`, () => {
        const closed = DAYS_OF_YEAR.map((n) => new Date(Date.UTC(Number(year), 0, n)))
          .filter((each) => each.getUTCFullYear() === Number(year))
          .filter((each) => each.getUTCDay() % 6 !== 0 && !isWorkingDay(calendar, each));
        const found = closed.map((each) => each.toISOString().slice(5, 10));
        assert.equal(found.join(' '), days);
      });
    }
  }

  it('is that of the currency’s country, else TARGET', () => {
    const chosen = ['EUR', 'CAD', 'USD', 'GBP', 'AUD', 'CHF'].map(calendarOf);
    assert.deepEqual(chosen, ['TARGET', 'CA', 'US', 'GB', 'AU', 'TARGET']);
  });
});

describe('the first working day from a day on', () => {
  const NEXT = [
    ['TARGET', '2026-02-28', '2026-03-02'],
    ['TARGET', '2026-04-03', '2026-04-07'],
    ['TARGET', '2025-12-25', '2025-12-29'],
    ['TARGET', '2000-04-24', '2000-04-25'],
    ['TARGET', '2026-12-24', '2026-12-24'],
    ['TARGET', '2026-10-05', '2026-10-05'],
    ['GB', '2027-12-25', '2027-12-29'],
    ['US', '2026-07-03', '2026-07-03'],
    ['WEEKDAYS', '2026-12-25', '2026-12-25'],
  ] as const;
  for (const [calendar, day, next] of NEXT) {
    it(`is ${next} for ${day} by ${calendar}`, () =>
      assert.equal(workingDayFrom(calendar, day), next));
  }
});

describe('working days', () => {
  const between = (since: string, now: string, calendar: BankCalendar = 'TARGET') =>
    workingDaysBetween(calendar, new Date(since), new Date(now));

  it('are whole days without Saturdays and Sundays', () => {
    assert.equal(between('2026-03-02T23:00:00Z', '2026-03-03T23:00:00Z'), 0);
    assert.equal(between('2026-03-02T01:00:00Z', '2026-03-04T01:00:00Z'), 1);
    // Friday to Tuesday: Monday alone.
    assert.equal(between('2026-03-06T12:00:00Z', '2026-03-10T12:00:00Z'), 1);
    assert.equal(between('2026-03-06T12:00:00Z', '2026-03-11T12:00:00Z'), 2);
    assert.equal(between('2026-03-06T12:00:00Z', '2026-03-01T12:00:00Z'), 0);
  });

  it('are no closing days of the calendar', () => {
    // Thursday to Tuesday over Easter.
    assert.equal(between('2026-04-02T12:00:00Z', '2026-04-07T12:00:00Z'), 0);
    assert.equal(between('2026-04-02T12:00:00Z', '2026-04-07T12:00:00Z', 'WEEKDAYS'), 2);
  });
});
