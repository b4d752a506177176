import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { marked } from 'marked';
import { hasForeignAddress, unlinkedText } from '#messages/model/unlinked-text.ts';

/** The extended autolinks of GitHub Flavored Markdown. */
const linkified = (text: string) => marked.parse(text, { async: false, gfm: true });

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

describe('an address in what a merchant or a payer writes', () => {
  for (const address of [
    'https://evil.test/pay?to=1',
    'http://evil.test',
    'www.evil.test',
    'ftp://evil.test',
    'eve@evil.test',
    'mailto:eve@evil.test',
    'https://shop.example@evil.test',
    'https://shop.example.evil.test',
  ]) {
    it(`is no link for a linkifier, and is refused in a template: ${address}`, () => {
      assert.match(linkified(address), /<a /, 'the linkifier knows it');
      assert.doesNotMatch(linkified(unlinkedText(`(${address})`, ORIGINS)), /<a /);
      assert.doesNotMatch(linkified(unlinkedText(`see ${address}, now`, ORIGINS)), /<a /);
      assert.equal(hasForeignAddress(`see ${address}`, ORIGINS), true);
    });
  }
});
