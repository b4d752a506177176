import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileText, quoted } from '#lib/json/compile-text.ts';

const TEXTS = [
  '',
  'Ada',
  'a "quoted" word',
  'a\\b',
  'a\nb\tc\u0000\u001f\u007f',
  'été 漢字 \u2028\u2029\ufeff',
  'pairs 😀',
  'lone \ud800 and \udfff',
];

interface Source {
  readonly id: string;
  readonly text: string | null;
  readonly more: { readonly first: string; readonly second?: string | undefined };
  readonly other: unknown;
}

const render = compileText<Source, { readonly unit: string }>({
  id: 'id',
  text: 'text',
  inner: { 'fir"st': 'more.first', second: 'more.second' },
  other: 'other',
  made: (source, { unit }) => (source.text === null ? undefined : quoted(source.text + unit)),
});

function stringify({ id, text, more, other }: Source, unit: string): string {
  return JSON.stringify({
    id,
    text: text ?? undefined,
    inner: { 'fir"st': more.first, second: more.second },
    other: other ?? undefined,
    made: text === null ? undefined : text + unit,
  });
}

describe('a compiled text', () => {
  for (const text of TEXTS) {
    it(`is that of JSON.stringify: ${JSON.stringify(text)}`, () => {
      const source = { id: text, text, more: { first: text, second: text }, other: { text } };
      assert.equal(render(source, { unit: text }), stringify(source, text));
    });
  }

  for (const other of [null, undefined, 0, 2.5, true, false, [1, 'a'], { a: '"' }]) {
    it(`leaves out what is absent, and has any other value: ${JSON.stringify(other)}`, () => {
      const source = { id: 'a', text: null, more: { first: 'b' }, other };
      assert.equal(render(source, { unit: '' }), stringify(source, ''));
    });
  }
});
