import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { slotsOf } from '#counters/model/slots.ts';
import { dateIn, offsetMinutes, startOfDate } from '#ledger/model/day.ts';

const QUARTER_MS = 900_000;
const HOUR_MS = 4 * QUARTER_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2027, 0, 1) };
const at = (text: string) => new Date(text);
const iso = (dates: readonly Date[]) => dates.map((date) => date.toISOString().slice(5, 16));

describe('the slots of the overview', () => {
  it('end at quarters of UTC in every zone, on each day around each change of clocks', () => {
    const seen = new Set<string>();
    for (const timeZone of [...Intl.supportedValuesOf('timeZone'), 'UTC']) {
      const changes = changesOf(timeZone);
      // Zones with the offset and the changes of another one have the same days.
      const rules = `${offsetMinutes(YEAR.from, timeZone)} ${changes.join()}`;
      if (seen.has(rules)) continue;
      seen.add(rules);
      for (const day of [YEAR.from, ...changes]) {
        for (let hours = -24; hours <= 48; hours += 8) checkSlots(timeZone, day + hours * HOUR_MS);
      }
    }
    assert.ok(seen.size > 60, `${seen.size} rules`);
  });

  /** The days of a year in which the clocks of a zone change; no change ends within a week. */
  function changesOf(timeZone: string): number[] {
    const days: number[] = [];
    for (let week = YEAR.from; week < YEAR.to; week += 7 * DAY_MS) {
      const offset = offsetMinutes(week, timeZone);
      if (offsetMinutes(week + 7 * DAY_MS, timeZone) === offset) continue;
      let day = week;
      while (offsetMinutes(day + DAY_MS, timeZone) === offset) day += DAY_MS;
      days.push(day);
    }
    return days;
  }

  /** By the calendar of the zone alone, in other words than those of the slots. */
  function checkSlots(timeZone: string, instant: number): void {
    const now = new Date(instant + 7 * 60_000);
    const name = `${timeZone} ${now.toISOString()}`;
    const { today, yesterday, sameTime, to, starts } = slotsOf('24h', now, timeZone);
    const borders = [today, yesterday, sameTime, to, ...starts].map((each) => each.getTime());
    assert.ok(
      borders.every((border) => border % QUARTER_MS === 0),
      name,
    );
    assert.ok(now < to && (starts.at(-1) ?? to) <= now, name);
    assert.ok(dateIn(today, timeZone) === dateIn(now, timeZone), name);
    assert.ok(dateIn(new Date(today.getTime() - 1), timeZone) < dateIn(now, timeZone), name);
    assert.ok(
      dateIn(new Date(yesterday.getTime() - 1), timeZone) < dateIn(yesterday, timeZone),
      name,
    );
    assert.ok(yesterday <= sameTime && sameTime <= today, name);
    for (const [index, start] of starts.entries()) {
      const end = starts[index + 1] ?? to;
      assert.ok(start < end && end.getTime() - start.getTime() <= HOUR_MS, name);
      assert.equal(
        (end.getTime() + offsetMinutes(end.getTime() - 1, timeZone) * 60_000) % HOUR_MS === 0 ||
          offsetMinutes(end.getTime(), timeZone) !== offsetMinutes(end.getTime() - 1, timeZone),
        true,
        name,
      );
    }
  }

  it('make days of 23 and 25 hours where the clocks change', () => {
    const lengths = (now: string, timeZone: string) => {
      const { starts, to } = slotsOf('7d', at(now), timeZone);
      return starts.map(
        (start, index) => ((starts[index + 1] ?? to).getTime() - start.getTime()) / HOUR_MS,
      );
    };
    assert.deepEqual(
      lengths('2026-03-10T12:00:00Z', 'America/Toronto'),
      [24, 24, 24, 24, 23, 24, 24],
    );
    assert.deepEqual(
      lengths('2026-11-01T12:00:00Z', 'America/Toronto'),
      [24, 24, 24, 24, 24, 24, 25],
    );
    assert.deepEqual(lengths('2026-10-05T00:00:00Z', 'Australia/Lord_Howe').at(-2), 23.5);
    assert.deepEqual(
      lengths('2026-03-10T12:00:00Z', 'Asia/Kathmandu'),
      [24, 24, 24, 24, 24, 24, 24],
    );
  });

  it('follow the hours of zones that are off by half an hour and a quarter', () => {
    const last = (timeZone: string) =>
      iso(slotsOf('24h', at('2026-03-10T12:20:00Z'), timeZone).starts).at(-1);
    assert.equal(last('UTC'), '03-10T12:00');
    assert.equal(last('Asia/Kolkata'), '03-10T11:30');
    assert.equal(last('Asia/Kathmandu'), '03-10T12:15');
    assert.equal(last('Australia/Eucla'), '03-10T12:15');
    assert.equal(slotsOf('24h', at('2026-03-10T12:00:00Z'), 'UTC').starts.length, 24);
    assert.equal(slotsOf('24h', at('2026-03-10T12:59:00Z'), 'UTC').starts.length, 24);
  });

  it('show the hour that comes twice as two, and an hour that is left out as none', () => {
    const twice = slotsOf('24h', at('2026-11-01T07:30:00Z'), 'America/Toronto').starts;
    assert.deepEqual(iso(twice).slice(-4), [
      '11-01T04:00',
      '11-01T05:00',
      '11-01T06:00',
      '11-01T07:00',
    ]);
    // Clocks on Lord Howe go on by half an hour: from two o'clock to half past two.
    const short = slotsOf('24h', at('2026-10-03T17:00:00Z'), 'Australia/Lord_Howe').starts;
    assert.deepEqual(iso(short).slice(-4), [
      '10-03T14:30',
      '10-03T15:30',
      '10-03T16:00',
      '10-03T17:00',
    ]);
  });

  it('compare with the same time of the day before, also where a night is longer', () => {
    const same = (now: string, timeZone = 'America/Toronto') =>
      slotsOf('24h', at(now), timeZone).sameTime.toISOString();
    assert.equal(same('2026-03-10T16:52:00Z'), '2026-03-09T16:45:00.000Z');
    // Noon of both days, 23 and 25 hours apart.
    assert.equal(same('2026-03-08T16:00:00Z'), '2026-03-07T17:00:00.000Z');
    assert.equal(same('2026-11-01T17:00:00Z'), '2026-10-31T16:00:00.000Z');
    assert.equal(
      same('2026-03-09T04:05:00Z'),
      startOfDate('2026-03-08', 'America/Toronto').toISOString(),
    );
  });
});
