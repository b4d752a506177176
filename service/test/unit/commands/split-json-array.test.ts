import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { splitJsonArray } from '../../../../sdk/src/cli/split-json-array.ts';

describe('splitting a JSON array into the texts of its members', () => {
  it('keeps the spelling of each', () => {
    assert.deepEqual(splitJsonArray('[{"amount":10.00}, [1,2] ,"a,\\"]"],"hasMore":false}'), [
      '{"amount":10.00}',
      '[1,2]',
      '"a,\\"]"',
    ]);
    assert.deepEqual(splitJsonArray('[]'), []);
    assert.deepEqual(splitJsonArray('[ ]x'), []);
  });

  it('is right for every array', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), (members) => {
        const text = `${JSON.stringify(members)},"more":[1]}`;
        assert.deepEqual(
          splitJsonArray(text),
          members.map((member) => JSON.stringify(member)),
        );
      }),
    );
  });
});
