import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unlinkedText } from '#messages/model/unlinked-text.ts';

const ORIGINS = ['https://shop.example', 'https://xn--bcher-kva.example'];

describe('a URL in what a merchant writes', () => {
  it('stays a link on a registered origin', () => {
    for (const url of [
      'https://shop.example',
      'https://SHOP.example/orders/7?step=2&all#end',
      'https://bücher.example/größe',
    ]) {
      assert.equal(unlinkedText(`See ${url} now`, ORIGINS), `See ${url} now`);
    }
  });

  it('hides no other one behind the first', () => {
    for (const end of [
      '"https://evil.test',
      '<https://evil.test>',
      ',https://evil.test',
      ')eve@evil.test',
      '|evil.test',
      '\u200bhttps://evil.test',
    ]) {
      const text = unlinkedText(`https://shop.example/${end}`, ORIGINS);
      assert.doesNotMatch(text, /evil\.test|shop\.example/, end);
    }
  });
});
