import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { locateJsonFault } from '#lib/json/locate-fault.ts';

const CASES: readonly (readonly [string, string, string, RegExp])[] = [
  ['nothing', '', '1:1', /ends too soon/],
  ['single quotes', "{'amount':1}", '1:2', /double quotes/],
  ['single quotes of a value', '{"type":\'ECOMM\'}', '1:9', /double quotes/],
  ['a trailing comma in an object', '{"a":1,\n}', '2:1', /leave out the comma/],
  ['a trailing comma in a list', '[1,2, ]', '1:7', /leave out the comma/],
  ['a comma for decimals', '{"amount":10,50}', '1:14', /decimals have a point/],
  ['a byte order mark', '\ufeff{}', '1:1', /byte order mark/],
  ['no quotes around a name', '{amount:1}', '1:2', /member name in double quotes/],
  ['no colon', '{"a" 1}', '1:6', /colon/],
  ['no comma', '{\n  "a": 1\n  "b": 2\n}', '3:3', /comma or the closing bracket/],
  ['the wrong bracket', '[1}', '1:3', /comma or the closing bracket/],
  ['NaN', '{"amount":NaN}', '1:11', /a number, true, false/],
  ['None', '[None]', '1:2', /a number, true, false/],
  ['a comment', '{"a":1/*one*/}', '1:7', /comma/],
  ['no value', '{"a":}', '1:6', /is expected/],
  ['a comma first', '[,1]', '1:2', /is expected/],
  ['a zero in front', '{"a":010}', '1:6', /10 or 10\.50/],
  ['a plus in front', '{"a":+1}', '1:6', /10 or 10\.50/],
  ['a point without digits', '{"a":1.}', '1:6', /10 or 10\.50/],
  ['a point in front', '{"a":.5}', '1:6', /10 or 10\.50/],
  ['a line break in a text', '{"a":"x\ny"}', '1:8', /line break/],
  ['an escape that is none', '{"a":"x\\q"}', '1:8', /backslash/],
  ['a text without end', '{"a":"x', '1:8', /ends too soon/],
  ['an object without end', '{"a":{"b":1}', '1:13', /ends too soon/],
  ['a second value', '{"a":1} {"a":2}', '1:9', /nothing may follow/],
  ['a bracket too many', '{"a":1}}', '1:8', /nothing may follow/],
];

describe('the place of a fault in JSON', () => {
  for (const [name, text, place, expected] of CASES) {
    it(`is found: ${name}`, () => {
      const fault = locateJsonFault(text);
      assert.ok(fault);
      assert.equal(`${fault.line}:${fault.column}`, place, fault.expected);
      assert.match(fault.expected, expected);
      assert.throws(() => JSON.parse(text), SyntaxError);
    });
  }

  it('is found in exactly the texts that JSON.parse refuses', () => {
    const piece = fc.constantFrom(
      ...'{}[],:"\\ \n\t',
      ...['"a"', '"\\u00e9"', '"\\', '1', '-0', '0.5', '1e9', '01', 'true', 'null', 'nul', "'"],
      ...['\u0001', '\u007f', '\u2028', '\ud800', '{"a":1}', '[[]]'],
    );
    const texts = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.tuple(fc.json(), fc.nat(), piece).map(([json, at, some]) => {
        const cut = at % (json.length + 1);
        return json.slice(0, cut) + some + json.slice(cut);
      }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const isJson = parses(text);
        assert.equal(locateJsonFault(text) === null, isJson, JSON.stringify(text));
      }),
      { numRuns: 20_000 },
    );
  });

  it('is found in texts of 64 KiB without a deep stack', () => {
    for (const text of [
      '['.repeat(65_536),
      `"${'x'.repeat(65_535)}`,
      `[${'1,'.repeat(32_767)}]`,
      `"${'\\n'.repeat(32_767)}`,
    ]) {
      assert.ok(locateJsonFault(text));
    }
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
