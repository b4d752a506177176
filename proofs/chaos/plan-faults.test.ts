import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FAULT_KINDS, planFaults } from './plan-faults.ts';

const SECONDS_20 = 20_000;

describe('the schedule of faults', () => {
  it('is equal for an equal seed, and another one for another seed', () => {
    assert.deepEqual(planFaults(7, SECONDS_20), planFaults(7, SECONDS_20));
    assert.notDeepEqual(planFaults(7, SECONDS_20), planFaults(8, SECONDS_20));
  });

  it('has every kind of fault in a minute', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const kinds = new Set(planFaults(seed, 60_000).map(({ kind }) => kind));
      assert.deepEqual([...kinds].sort(), [...FAULT_KINDS].sort());
    }
  });

  it('begins each fault within the run, and lets none take more than a quarter of it', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      for (const { atMs, forMs } of planFaults(seed, SECONDS_20)) {
        assert.ok(atMs >= 0 && atMs < SECONDS_20, `${atMs}`);
        assert.ok(forMs > 0 && forMs <= SECONDS_20 / 4, `${forMs}`);
      }
    }
  });
});
