import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { instantAt, isDate, nextDate, startOfDate } from '#ledger/model/day.ts';

const TABLE: [date: string, timeZone: string, start: string][] = [
  ['2026-03-01', 'UTC', '2026-03-01T00:00:00.000Z'],
  ['2026-03-01', 'America/Toronto', '2026-03-01T05:00:00.000Z'],
  // The night of the change to summer time.
  ['2026-03-08', 'America/Toronto', '2026-03-08T05:00:00.000Z'],
  ['2026-03-09', 'America/Toronto', '2026-03-09T04:00:00.000Z'],
  ['2026-03-01', 'Asia/Kathmandu', '2026-02-28T18:15:00.000Z'],
  ['2026-03-01', 'Pacific/Kiritimati', '2026-02-28T10:00:00.000Z'],
  // Midnight does not exist: the clocks go on to one o'clock.
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
];

const LOCAL: [local: string, timeZone: string, at: string | null][] = [
  ['2026-03-01T09:30', 'UTC', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30:15', 'Asia/Kathmandu', '2026-03-01T03:45:15.000Z'],
  ['2026-01-15T23:59', 'America/Toronto', '2026-01-16T04:59:00.000Z'],
  ['2026-07-15T00:00', 'Pacific/Kiritimati', '2026-07-14T10:00:00.000Z'],
  // The clocks show it twice, and the first counts.
  ['2026-11-01T01:30', 'America/Toronto', '2026-11-01T05:30:00.000Z'],
  ['2026-10-25T02:30', 'Europe/Paris', '2026-10-25T00:30:00.000Z'],
  // The clocks pass over it.
  ['2026-03-08T02:30', 'America/Toronto', '2026-03-08T07:30:00.000Z'],
  ['2026-03-29T02:30', 'Europe/Paris', '2026-03-29T01:30:00.000Z'],
  // Hours around a change.
  ['2026-03-08T03:00', 'America/Toronto', '2026-03-08T07:00:00.000Z'],
  ['2026-11-01T02:00', 'America/Toronto', '2026-11-01T07:00:00.000Z'],
  ['2026-02-30T09:30', 'UTC', null],
  ['2026-03-01T09:30Z', 'UTC', null],
  ['', 'UTC', null],
];

describe('the instant of a date and time', () => {
  for (const [local, timeZone, at] of LOCAL) {
    it(`${local} in ${timeZone} is ${at}`, () => {
      assert.equal(instantAt(local, timeZone)?.toISOString() ?? null, at);
    });
  }
});

describe('the start of a date', () => {
  for (const [date, timeZone, start] of TABLE) {
    it(`${date} in ${timeZone} is ${start}`, () => {
      assert.equal(startOfDate(date, timeZone).toISOString(), start);
    });
  }

  it('is the first instant with that date, in every zone', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    const dates = fc
      .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
      .map((at) => at.toISOString().slice(0, 10));
    fc.assert(
      fc.property(dates, fc.constantFrom(...zones), (date, timeZone) => {
        const start = startOfDate(date, timeZone);
        const zone = new Intl.DateTimeFormat('en-CA', { timeZone });
        assert.ok(zone.format(start) >= date);
        assert.ok(zone.format(start.getTime() - 1) < date);
      }),
      { numRuns: 300 },
    );
  });

  it('knows which dates exist, and the date after each', () => {
    assert.equal(isDate('2026-02-28'), true);
    assert.equal(isDate('2026-02-29'), false);
    assert.equal(isDate('2026-13-01'), false);
    assert.equal(nextDate('2026-02-28'), '2026-03-01');
    assert.equal(nextDate('2028-02-28'), '2028-02-29');
  });
});
