import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outsideOfNight } from '#messages/model/quiet-hours.ts';
import { unlinkedText } from '#messages/model/unlinked-text.ts';

const leaves = (dueAt: string, expiresAt: string, zone: string) =>
  outsideOfNight(new Date(dueAt), new Date(expiresAt), zone).toISOString();

describe('a reminder in the night', () => {
  const FAR = '2026-12-31T00:00:00.000Z';
  for (const [what, dueAt, expiresAt, zone, leavesAt] of [
    [
      'by day leaves as it is due',
      '2026-03-01T20:59:00.000Z',
      FAR,
      'UTC',
      '2026-03-01T20:59:00.000Z',
    ],
    ['waits until 8:00', '2026-03-01T21:00:00.000Z', FAR, 'UTC', '2026-03-02T08:00:00.000Z'],
    [
      'knows the zone',
      '2026-03-02T03:30:00.000Z',
      FAR,
      'America/Toronto',
      '2026-03-02T13:00:00.000Z',
    ],
    // The clock goes from 2:00 to 3:00 in Berlin on that day: 8:00 is 6:00 UTC, not 7:00.
    [
      'of a short night',
      '2026-03-28T23:10:30.500Z',
      FAR,
      'Europe/Berlin',
      '2026-03-29T06:00:00.000Z',
    ],
    // Back from 3:00 to 2:00: 8:00 is 7:00 UTC.
    [
      'of a long night',
      '2026-10-24T23:10:00.000Z',
      FAR,
      'Europe/Berlin',
      '2026-10-25T07:00:00.000Z',
    ],
    [
      'goes before it where its end is too late',
      '2026-03-02T05:00:00.000Z',
      '2026-03-02T07:00:00.000Z',
      'UTC',
      '2026-03-01T20:59:59.999Z',
    ],
    [
      'of a zone with half an hour',
      '2026-03-01T16:00:00.000Z',
      FAR,
      'Asia/Kolkata',
      '2026-03-02T02:30:00.000Z',
    ],
  ] as const) {
    it(what, () => assert.equal(leaves(dueAt, expiresAt, zone), leavesAt));
  }
});

describe('a value in a message', () => {
  const ORIGINS = ['https://shop.example'];
  for (const [value, shown] of [
    ['Order 7', 'Order 7'],
    ['see evil.test', 'see evil.\u2060test'],
    ['https://evil.test/a', 'https:\u2060//evil.\u2060test/a'],
    ['https://shop.example/a', 'https://shop.example/a'],
    ['https://shop.example.evil.test', 'https:\u2060//shop.\u2060example.\u2060evil.\u2060test'],
    ['a@b', 'a@\u2060b'],
    ['evil\u3002test', 'evil\u3002\u2060test'],
    ['one\r\ntwo', 'one two'],
    ['\u202eabc\u2066', 'abc'],
    ['The end.', 'The end.'],
    ['😀'.repeat(250), '😀'.repeat(250)],
  ] as const) {
    it(`shows ${JSON.stringify(value.slice(0, 40))} without a link`, () => {
      assert.equal(unlinkedText(value, ORIGINS), shown);
    });
  }
});
