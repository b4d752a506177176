import assert from 'node:assert/strict';
import { it } from 'node:test';
import { printFailure } from '../seeds/simulate-seed.ts';
import { simulateSeeds } from '../seeds/simulate-seeds.ts';

it('a thousand simulated runs break no promise, in any order of faults', async () => {
  const failures = await simulateSeeds({ from: 1, count: 1_000 });
  assert.deepEqual(failures.map(printFailure), []);
});
