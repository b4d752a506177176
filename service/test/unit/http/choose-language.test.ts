import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CONSOLE_LANGUAGES, chooseLanguage } from '#http/negotiation/choose-language.ts';
import { qualityOf, readPreferences } from '#http/negotiation/read-preferences.ts';

describe('the language of a page', () => {
  for (const [asked, preferred, acceptLanguage, expected, why] of [
    ['fr', 'en', 'en', 'fr', 'the one asked for wins'],
    ['en', 'fr', 'fr', 'en', 'the one asked for wins'],
    ['xx', 'fr', 'en', 'fr', 'one that pages do not speak is not asked for'],
    [['fr', 'en'], 'en', 'fr', 'en', 'two at once are not asked for'],
    [undefined, 'fr', 'en', 'fr', 'the payer’s preferred one is next'],
    [undefined, 'fr-CA', 'en', 'fr', 'a region does not matter'],
    [undefined, 'FR', 'en', 'fr', 'nor does its case'],
    [undefined, 'xx', 'fr', 'en', 'a preferred one that pages do not speak is English'],
    [undefined, null, 'fr-CA,fr;q=0.9,en;q=0.8', 'fr', 'the browser’s is next'],
    [undefined, null, 'en;q=0.5,fr;q=0.7', 'fr', 'by weight, not by place'],
    [undefined, null, 'xx,fr;q=0.3', 'fr', 'the first that pages speak'],
    [undefined, null, 'fr;q=0,en;q=0.1', 'en', 'weight 0 means not this one'],
    [undefined, null, 'fr;q=0', 'en', 'weight 0 means not this one'],
    [undefined, null, 'frr', 'en', 'another language that begins alike is another'],
    [undefined, null, '*', 'en', 'anything is English'],
    [undefined, null, ';;,,=q', 'en', 'junk is English'],
    [undefined, null, undefined, 'en', 'nothing is English'],
  ] as const) {
    it(`is ${expected} for ?lang=${asked}, ${preferred}, ${acceptLanguage}: ${why}`, () => {
      const preferences = { asked, preferred, acceptLanguage, languages: CONSOLE_LANGUAGES };
      assert.equal(chooseLanguage(preferences), expected);
    });
  }
});

describe('the preferences of a caller', () => {
  it('is read by weight, ties in the order sent', () => {
    assert.deepEqual(readPreferences('a;q=0.1, B ;x=1;q=0.9,c, d;q=7, e;q=no'), [
      { value: 'c', quality: 1 },
      { value: 'b', quality: 0.9 },
      { value: 'a', quality: 0.1 },
      { value: 'd', quality: 0 },
      { value: 'e', quality: 0 },
    ]);
  });

  it('is read from a bounded number of entries', () => {
    assert.equal(readPreferences('a,'.repeat(5_000)).length, 30);
  });

  for (const [accept, svg, png] of [
    [undefined, 1, 1],
    ['', 1, 1],
    ['image/svg+xml', 1, 0],
    ['image/*;q=0.5', 0.5, 0.5],
    ['*/*', 1, 1],
    ['image/png;q=0.2,image/*', 1, 0.2],
    ['text/html', 0, 0],
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 1, 1],
  ] as const) {
    it(`takes from ${accept} svg as ${svg} and png as ${png}`, () => {
      assert.equal(qualityOf('image/svg+xml', accept), svg);
      assert.equal(qualityOf('image/png', accept), png);
    });
  }
});
