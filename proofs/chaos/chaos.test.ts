import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { spawnChaos } from './spawn-chaos.ts';

/**
 * The schedule of this seed has every kind of fault. A fixed seed gives an equal schedule in each
 * run.
 */
const SEED = 20;

describe('the service under a seeded schedule of faults', () => {
  it('loses nothing and does nothing twice', async () => {
    // A slow machine does less work in the 20 seconds, and has longer for their end.
    const options = ['--seconds', '20', '--seed', `${SEED}`, '--end-minutes', '4'];
    const { code, output } = await spawnChaos(options);
    assert.match(output, /^lost 0, unexpected 0$/m, output);
    // The people of the console were at work too.
    assert.match(output, /^calls: .*console-sign-in ok [1-9]/m, output);
    assert.equal(code, 0, output);
  });
});
