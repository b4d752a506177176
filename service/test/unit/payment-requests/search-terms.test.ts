import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSearchTerms } from '#payment-requests/lookup/search-terms.ts';

const ID = '018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f';
const CODE = 'Ab3dEf6hIj9lMn2p';

describe('the terms of a search', () => {
  it('reads an id with and without hyphens, in capitals, and at the end of an address', () => {
    const bare = ID.replaceAll('-', '');
    for (const text of [ID, ` ${ID} `, bare, ID.toUpperCase(), `https://api.example/v1/p/${ID}/`]) {
      assert.equal(readSearchTerms(text)?.id, ID, text);
    }
    assert.equal(readSearchTerms(`${ID}0`)?.id, null);
  });

  it('reads a short code alone, in its link, with the mark of a cell, and with a full stop', () => {
    const link = `https://pay.example/pay/${CODE}`;
    for (const text of [CODE, link, `${link}?lang=fr#top`, `${CODE}.`]) {
      assert.equal(readSearchTerms(text)?.shortCode, CODE, text);
    }
    assert.equal(readSearchTerms(`c2-${CODE}`)?.shortCode, `c2-${CODE}`);
    assert.equal(readSearchTerms('Ab3dEf6hIj9lMn2')?.shortCode, null);
  });

  it('reads amounts in the spellings of people', () => {
    const cents: readonly (readonly [string, number | null])[] = [
      ['249.90', 24_990],
      ['249,9', 24_990],
      ['250', 25_000],
      ['CAD 249.90', 24_990],
      ['249,90 €', 24_990],
      ['$0.01', 1],
      ['1’249.90', 124_990],
      ['1 249,90 EUR', 124_990],
      ['0.00', null],
      ['249.905', null],
      ['-5', null],
      ['INV-250', null],
    ];
    for (const [text, expected] of cents) {
      assert.equal(readSearchTerms(text)?.amountCents, expected, text);
    }
  });

  it('reads an e-mail address and a phone number, each also as a reference', () => {
    const email = readSearchTerms('Ada@Shop.example');
    assert.equal(email?.email, 'Ada@Shop.example');
    assert.equal(email?.text, 'Ada@Shop.example');
    assert.equal(readSearchTerms('+1 (416) 555-0199')?.mobileNumber, '+1 (416) 555-0199');
    assert.equal(readSearchTerms('12345')?.mobileNumber, null);
  });

  it('refuses what no value can be: nothing, control characters, half a character, too much', () => {
    for (const text of ['', '   ', 'a\u0000b', 'a\nb', '\ud800', 'x'.repeat(255)]) {
      assert.equal(readSearchTerms(text), null, JSON.stringify(text.slice(0, 10)));
    }
  });
});
