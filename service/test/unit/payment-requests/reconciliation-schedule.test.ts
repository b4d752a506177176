import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { secondsToNextPoll, settlementTimes } from '#payment-requests/network/schedule.ts';

describe('the schedule of polls at the network', () => {
  for (const status of ['CREATED', 'PROCESSING', 'FAILED', 'EXPIRED', 'CANCELLED'] as const) {
    it(`waits longer after each poll of ${status}, up to a longest wait`, () => {
      const waits = Array.from({ length: 40 }, (_, poll) =>
        Number(secondsToNextPoll(status, poll + 1)),
      );
      assert.deepEqual(
        waits,
        [...waits].sort((one, other) => one - other),
      );
      assert.ok((waits[0] ?? 0) >= 10);
      assert.equal(waits.at(-1), waits.at(-2));
    });
  }

  it('polls PAID no more', () => {
    assert.equal(secondsToNextPoll('PAID', 1), null);
  });

  it('polls a payment in progress often enough to end it on time', () => {
    assert.ok(Number(secondsToNextPoll('PROCESSING', 1_000)) <= 3_600);
  });

  it('follows the slowest settlement that the network states', () => {
    assert.deepEqual(settlementTimes({ slowestSettlementSeconds: 72 * 3_600 }), {
      processingEndsSeconds: 72 * 3_600,
      alertSeconds: 24 * 3_600,
      endedPollsSeconds: 72 * 3_600,
    });
    const slow = settlementTimes({ slowestSettlementSeconds: 10 * 86_400 });
    assert.equal(slow.processingEndsSeconds, 10 * 86_400);
    assert.ok(slow.alertSeconds < slow.processingEndsSeconds);
  });
});
