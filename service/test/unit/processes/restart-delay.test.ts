import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRestartDelay } from '#processes/restart-delay.ts';

describe('the wait before a process is started again', () => {
  it('doubles from a tenth of a second up to ten, while it ends soon after its start', () => {
    const delay = createRestartDelay();
    const waits = Array.from({ length: 9 }, () => delay.next(1_000));
    assert.deepEqual(waits, [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
  });

  it('is short again after a process that ran for a minute', () => {
    const delay = createRestartDelay();
    for (let n = 0; n < 5; n += 1) delay.next(0);
    assert.equal(delay.next(60_000), 100);
    assert.equal(delay.next(0), 200);
  });
});
