import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { spawnChaos } from '../spawn-chaos.ts';

describe('the service under ten minutes of faults', () => {
  it('loses nothing and does nothing twice', async () => {
    // Another seed each time; the output names it.
    const { code, output } = await spawnChaos(['--minutes', '10', '--end-minutes', '5']);
    assert.match(output, /^lost 0, unexpected 0$/m, output);
    assert.equal(code, 0, output);
  });
});
