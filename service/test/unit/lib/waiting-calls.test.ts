import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Problem } from '#lib/problem.ts';
import { WaitingCalls } from '#lib/waiting-calls.ts';

describe('waiting calls', () => {
  it('refuse the 51st call of a merchant, and no other merchant’s', () => {
    const calls = new WaitingCalls();
    for (let count = 0; count < 50; count += 1) calls.add('mer_1');
    assert.throws(
      () => calls.add('mer_1'),
      (problem: unknown) => {
        assert.ok(problem instanceof Problem);
        assert.equal(problem.code, 'RATE_LIMITED');
        assert.equal(problem.headers['retry-after'], '1');
        return true;
      },
    );
    calls.add('mer_2');
  });

  it('admit another call when one has ended', () => {
    const calls = new WaitingCalls();
    for (let count = 0; count < 50; count += 1) calls.add('mer_1');
    calls.remove('mer_1');
    calls.add('mer_1');
    assert.throws(() => calls.add('mer_1'), Problem);
  });
});
