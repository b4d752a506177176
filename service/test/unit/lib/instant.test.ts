import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatInstant, parseInstant } from '#lib/instant.ts';

describe('an RFC 3339 date-time', () => {
  for (const [text, iso] of [
    ['2026-03-02T12:00:00Z', '2026-03-02T12:00:00.000Z'],
    ['2026-03-02t12:00:00z', '2026-03-02T12:00:00.000Z'],
    ['2026-03-02 12:00:00Z', '2026-03-02T12:00:00.000Z'],
    ['2026-03-02T12:00:00.5Z', '2026-03-02T12:00:00.500Z'],
    ['2026-03-02T12:00:00.123456789Z', '2026-03-02T12:00:00.123Z'],
    ['2026-03-02T12:00:00+01:00', '2026-03-02T11:00:00.000Z'],
    ['2026-03-02T12:00:00-23:59', '2026-03-03T11:59:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ] as const) {
    it(`${text} is read`, () => assert.equal(parseInstant(text)?.toISOString(), iso));
  }

  for (const text of [
    '2026-03-02T12:00:00+0100',
    '2026-03-02T12:00:00+01',
    '2026-03-02T12:00:00',
    '2026-03-02T12:00Z',
    '2026-03-02',
    '2026-12-31T23:59:60Z',
    '2026-13-01T00:00:00Z',
    '2026-03-02T25:00:00Z',
    '2026-03-02T12:00:00,5Z',
    '+002026-03-02T12:00:00Z',
    'Mon, 02 Mar 2026 12:00:00 GMT',
    '',
  ]) {
    it(`${JSON.stringify(text)} is none`, () => assert.equal(parseInstant(text), null));
  }
});

describe('an instant as text', () => {
  const [day, year] = [86_400_000, 31_556_952_000];
  const at = (iso: string) => Date.parse(iso);

  it('is what toISOString gives: every millisecond of a second, second of a day, day of 400 years', () => {
    const start = at('2026-03-01T00:00:00.000Z');
    const moments = [
      ...Array.from({ length: 1_000 }, (_, ms) => start + ms),
      ...Array.from({ length: 86_400 }, (_, second) => start + second * 1_000 + 999),
      ...Array.from({ length: 146_097 }, (_, number) => start + number * day + 45_296_789),
    ];
    for (const moment of moments) {
      const instant = new Date(moment);
      assert.equal(formatInstant(instant), instant.toISOString());
    }
  });

  it('holds before 1970, after the year 9999 and at both ends of what a date can be', () => {
    for (const moment of [
      -1,
      0,
      -day,
      -60 * year,
      -2_000 * year,
      9_000 * year,
      -8.64e15,
      8.64e15,
    ]) {
      const instant = new Date(moment);
      assert.equal(formatInstant(instant), instant.toISOString());
    }
  });

  it('an invalid date throws, as toISOString does', () => {
    assert.throws(() => formatInstant(new Date(Number.NaN)), RangeError);
  });
});
