import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readOptions } from './read-options.ts';

describe('the options of npm run chaos', () => {
  it('take minutes or seconds, and a seed', () => {
    assert.deepEqual(readOptions(['--minutes', '10', '--seed', '7']), {
      seconds: 600,
      seed: 7,
      endMinutes: 3,
    });
    assert.equal(readOptions(['--seconds', '20']).seconds, 20);
  });

  it('draw a seed for each run that names none', () => {
    assert.notEqual(readOptions([]).seed, readOptions([]).seed);
  });

  it('refuse what is no number, both lengths, and unknown names', () => {
    for (const args of [
      ['--minutes', 'ten'],
      ['--minutes', '61'],
      ['--seed', '-1'],
      ['--seed', ''],
      ['--minutes', '1', '--seconds', '60'],
      ['--hours', '1'],
    ]) {
      assert.throws(() => readOptions(args), Error, args.join(' '));
    }
  });
});
