import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  availableCents,
  heldCents,
  refundSummaryStatus,
} from '#payment-requests/model/money/sums.ts';

const PAYMENT = { institution: 'A Bank', networkReference: 'R', completedAt: new Date(0) };

function money(
  [received, returned, refunded, refunding]: readonly [number, number, number, number],
  payment: typeof PAYMENT | null = PAYMENT,
) {
  const sums = {
    receivedCents: received,
    returnedCents: returned,
    refundedCents: refunded,
    refundingCents: refunding,
  };
  return { amountCents: 100, payment, sums };
}

describe('the sums of a payment request’s money', () => {
  for (const [sums, held, available, status] of [
    [[100, 0, 0, 0], 100, 100, 'NONE'],
    [[120, 0, 0, 0], 120, 120, 'NONE'],
    [[100, 40, 0, 0], 60, 60, 'NONE'],
    [[100, 100, 0, 0], 0, 0, 'NONE'],
    [[100, 0, 40, 0], 100, 60, 'PARTIAL'],
    [[100, 0, 40, 60], 100, 0, 'PENDING'],
    [[100, 0, 0, 1], 100, 99, 'PENDING'],
    [[100, 0, 100, 0], 100, 0, 'FULL'],
    [[100, 40, 60, 0], 60, 0, 'FULL'],
    // Returned after the refund: nothing is available, and never less than nothing.
    [[100, 100, 100, 0], 0, 0, 'FULL'],
    [[100, 150, 0, 0], 0, 0, 'NONE'],
  ] as const) {
    it(`are ${held} held, ${available} available, ${status} for ${sums.join(', ')}`, () => {
      const found = money(sums);
      assert.deepEqual(
        [heldCents(found), availableCents(found), refundSummaryStatus(found)],
        [held, available, status],
      );
    });
  }

  it('count a part that went back twice against later money, until the payment is made', () => {
    const before = money([62, 62, 0, 62], null);
    assert.deepEqual([heldCents(before), availableCents(before)], [-62, 0]);
    assert.equal(heldCents(money([312, 62, 0, 62], null)), 188);
    assert.equal(heldCents(money([312, 62, 50, 12], null)), 188);
  });
});
