import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CONTRACT_TIMES,
  defaultExpiry,
  expiryFault,
  expiryRange,
} from '#payment-requests/model/expiry.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const DAY_MS = 86_400_000;
const at = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const isoOf = (date: Date) => date.toISOString();

describe('an expiry that was sent', () => {
  it('lies 5 minutes to 365 days ahead', () => {
    const cases: readonly (readonly [number, string | null])[] = [
      [-1, 'TOO_LOW'],
      [299_999, 'TOO_LOW'],
      [300_000, null],
      [365 * DAY_MS, null],
      [365 * DAY_MS + 1, 'TOO_HIGH'],
    ];
    for (const [aheadMs, fault] of cases) {
      assert.equal(expiryFault(at(aheadMs), NOW, CONTRACT_TIMES), fault, `${aheadMs}`);
    }
    assert.equal(expiryRange(CONTRACT_TIMES), '5 minutes to 365 days ahead');
  });

  it('lies as far ahead as the network allows, told in whole days', () => {
    const times = { ...CONTRACT_TIMES, longestExpirySeconds: 129_600 };
    assert.equal(expiryFault(at(1.5 * DAY_MS), NOW, times), null);
    assert.equal(expiryFault(at(1.5 * DAY_MS + 1), NOW, times), 'TOO_HIGH');
    assert.equal(expiryRange(times), '5 minutes to 1 days ahead');
  });
});

describe('an expiry that was left out', () => {
  const expiry = (dueDate: string | null, now = NOW) =>
    isoOf(defaultExpiry(NOW, dueDate, now, CONTRACT_TIMES));

  it('is 24 hours after the creation, or the end of a later due date', () => {
    assert.equal(expiry(null), '2026-03-02T12:00:00.000Z');
    assert.equal(expiry('2026-03-01'), '2026-03-02T12:00:00.000Z');
    assert.equal(expiry('2026-03-02'), '2026-03-03T00:00:00.000Z');
    assert.equal(expiry('2026-05-31'), '2026-06-01T00:00:00.000Z');
  });

  it('stays within the allowed range', () => {
    assert.equal(expiry('2030-01-01'), isoOf(at(365 * DAY_MS)));
    // The due date is taken away later, when its payment request is old.
    assert.equal(expiry(null, at(2 * DAY_MS)), isoOf(at(2 * DAY_MS + 300_000)));
  });
});
