import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { targetDayFrom } from '#lib/bank/target-days.ts';

/** Days on which TARGET is closed, with the next day on which it settles. */
const CLOSED = [
  ['2026-02-28', '2026-03-02'],
  ['2026-03-01', '2026-03-02'],
  ['2026-01-01', '2026-01-02'],
  ['2026-04-03', '2026-04-07'],
  ['2026-04-06', '2026-04-07'],
  ['2026-05-01', '2026-05-04'],
  ['2026-12-25', '2026-12-28'],
  ['2027-03-26', '2027-03-30'],
  ['2024-03-29', '2024-04-02'],
  ['2025-04-21', '2025-04-22'],
  ['2000-04-24', '2000-04-25'],
  ['2038-04-26', '2038-04-27'],
  ['2049-04-16', '2049-04-20'],
  ['2025-12-25', '2025-12-29'],
] as const;

const OPEN = ['2026-03-02', '2026-04-02', '2026-05-04', '2026-12-24', '2026-10-05'];

describe('the days on which TARGET settles', () => {
  for (const [day, next] of CLOSED) {
    it(`leave out ${day}`, () => assert.equal(targetDayFrom(day), next));
  }

  for (const day of OPEN) {
    it(`have ${day}`, () => assert.equal(targetDayFrom(day), day));
  }
});
