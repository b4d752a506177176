import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseStrictJson } from '#lib/json/parse-strict.ts';
import { Problem } from '#lib/problem.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text)).value;
const sourcesOf = (text: string) => parseStrictJson(Buffer.from(text)).numberSources;

describe('a JSON body', () => {
  const refused: readonly [string, string, RegExp][] = [
    ['empty', '', /empty/],
    ['cut short', '{"a":', /not valid/],
    ['with a trailing comma', '{"a":1,}', /not valid/],
    ['with NaN', '{"a":NaN}', /not valid/],
    ['with a byte order mark', '\ufeff{}', /not valid/],
    ['with a duplicate key', '{"a":1,"a":2}', /"a" twice/],
    ['with a duplicate key in another spelling', '{"a":1,"\\u0061":2}', /"a" twice/],
    ['with a duplicate key deep inside', '{"x":[{"b":1, "c":{}, "b" : 2}]}', /"b" twice/],
    ['with __proto__', '{"__proto__":{}}', /__proto__/],
    ['with __proto__ in another spelling', '{"p":{"\\u005f_proto__":1}}', /__proto__/],
    ['nested deeper than 8', '[[[[[[[[[]]]]]]]]]', /deeper than 8/],
    ['of 1,002 list items', `[${'0,'.repeat(1_001)}0]`, /more than 1000 members/],
    ['nested out of all bounds', '['.repeat(60_000) + ']'.repeat(60_000), /deeper|valid/],
  ];
  for (const [what, text, detail] of refused) {
    it(`${what} is refused`, () => {
      assert.throws(
        () => parse(text),
        (error) =>
          error instanceof Problem &&
          error.code === 'MALFORMED_JSON' &&
          detail.test(error.detail ?? 'The body is not valid JSON.'),
      );
    });
  }

  it('that is not UTF-8 is refused', () => {
    assert.throws(() => parseStrictJson(Buffer.from([0x22, 0xff, 0x22])), /not UTF-8/);
  });

  it('may have 1,001 list items, and any number of commas in a text', () => {
    const [items, commas] = [`[${'0,'.repeat(1_000)}0]`, ','.repeat(60_000)];
    assert.equal((parse(items) as unknown[]).length, 1_001);
    assert.deepEqual(parse(JSON.stringify([commas])), [commas]);
  });

  it('may be 8 deep, and repeat a key in two objects or as a value', () => {
    assert.deepEqual(parse('[[[[[[[[]]]]]]]]'), [[[[[[[[]]]]]]]]);
    assert.deepEqual(parse('[{"a":"a"},{"a":"\\"a\\":"}]'), [{ a: 'a' }, { a: '"a":' }]);
  });

  it('keeps the source text of its own numbers', () => {
    const text =
      '{"a":"1","payer":{"amount":1e1},"list":[{"amount":7}],\n"\\u0061mount" :\t-1.00500}';
    assert.deepEqual([...sourcesOf(text)], [['amount', '-1.00500']], 'the body’s own numbers');
    assert.equal(sourcesOf('{"amount":1E+2,"b":3}').get('amount'), '1E+2');
    assert.equal(sourcesOf('[{"amount":1}]').get('amount'), undefined);
  });

  it('keeps the source of every number that stands in it', () => {
    const members = fc.dictionary(fc.string(), fc.oneof(fc.double({ noNaN: true }), fc.string()));
    fc.assert(
      fc.property(members, fc.constantFrom(0, 1, 2), (value, space) => {
        const text = JSON.stringify(value, null, space);
        if (text.includes('__proto__')) return;
        const body = parse(text) as Record<string, unknown>;
        const sources = sourcesOf(text);
        for (const [key, member] of Object.entries(body)) {
          const isNumber = typeof member === 'number';
          assert.equal(sources.get(key), isNumber ? JSON.stringify(member) : undefined);
        }
      }),
    );
  });

  it('is otherwise read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        if (text.includes('__proto__')) return;
        assert.deepEqual(parse(text), JSON.parse(text));
      }),
    );
  });
});
