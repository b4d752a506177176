import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { STATUSES } from '#payment-requests/model/statuses.ts';
import {
  PROCESSING_ALERT_SECONDS,
  PROCESSING_ENDS_SECONDS,
  secondsToNextLook,
} from '#payment-requests/network/schedule.ts';

describe('the schedule of looks at the network', () => {
  for (const status of STATUSES) {
    it(`grows for ${status} and stays at its longest`, () => {
      const waits = Array.from({ length: 40 }, (_, look) => secondsToNextLook(status, look + 1));
      assert.deepEqual(
        waits,
        [...waits].sort((one, other) => one - other),
      );
      assert.ok((waits[0] ?? 0) >= 10);
      assert.equal(waits.at(-1), waits.at(-2));
    });
  }

  it('looks at what is in progress often enough to end it on time', () => {
    assert.ok(secondsToNextLook('PROCESSING', 1_000) <= 3_600);
    assert.ok(PROCESSING_ALERT_SECONDS < PROCESSING_ENDS_SECONDS);
    assert.equal(PROCESSING_ENDS_SECONDS, 72 * 3_600);
  });
});
