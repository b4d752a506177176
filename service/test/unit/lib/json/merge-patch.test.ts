import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergePatch } from '#lib/json/merge-patch.ts';

/** RFC 7396, Appendix A: every example there is. */
const EXAMPLES: readonly (readonly [target: string, patch: string, result: string])[] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
];

describe('a merge patch', () => {
  for (const [target, patch, result] of EXAMPLES) {
    it(`makes ${result} of ${target} and ${patch}`, () => {
      const before = JSON.parse(target);
      assert.equal(JSON.stringify(mergePatch(before, JSON.parse(patch))), result);
      assert.equal(JSON.stringify(before), target);
    });
  }

  it('changes no prototype', () => {
    const merged = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}')) as object;
    assert.equal('polluted' in merged, false);
    assert.equal('polluted' in {}, false);
  });
});
