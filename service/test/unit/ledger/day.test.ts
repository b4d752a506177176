import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isDate, nextDate, startOfDate } from '#ledger/model/day.ts';

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
