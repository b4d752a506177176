import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { STATUS_REASON_CODES } from '@payment-requests/sdk';
import { CATALOGUE } from '../src/catalogue.ts';
import { LANGUAGES, preferredLanguage } from '../src/language.ts';
import { en } from '../src/texts/en.ts';
import { fr } from '../src/texts/fr.ts';
import { reasonText, TEXTS } from '../src/texts/texts.ts';

/** Words that both languages spell alike, and a state without a sentence. */
const EQUAL = new Set(['paymentWindow.over', 'order.sum', 'developers.webhooks']);
const SECOND_PERSON = { en: /\byour?\b/i, fr: /\b(vous|votre|vos)\b/i };

/** Every text by its path; a text with values is called with some. */
function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, value('VALUE', 'OTHER')]];
  assert.ok(typeof value === 'object' && value !== null, path);
  return Object.entries(value).flatMap(([name, inner]) =>
    textsOf(inner, path === '' ? name : `${path}.${name}`),
  );
}

describe('the shop’s texts', () => {
  it('exist in every language', () => {
    const [english, french] = [new Map(textsOf(en)), new Map(textsOf(fr))];
    assert.deepEqual([...french.keys()].sort(), [...english.keys()].sort());
    for (const [path, text] of english) {
      if (EQUAL.has(path)) continue;
      const other = french.get(path) ?? '';
      assert.ok(text.trim() !== '' && other.trim() !== '', path);
      assert.notEqual(text, other, `${path} is not translated`);
      for (const value of ['VALUE', 'OTHER']) {
        assert.equal(other.includes(value), text.includes(value), `${path} loses a value`);
      }
    }
  });

  it('exist for every product', () => {
    for (const { sku, name, kind, description } of CATALOGUE) {
      for (const { en, fr } of [name, kind, description]) {
        assert.ok(en !== '' && fr !== '' && en !== fr, sku);
      }
    }
  });

  it('address the customer for every reason code of the SDK', () => {
    for (const language of LANGUAGES) {
      const { reasons } = TEXTS[language];
      assert.deepEqual(Object.keys(reasons).sort(), [...STATUS_REASON_CODES].sort(), language);
      for (const [code, text] of Object.entries(reasons)) {
        const says = `${language}, ${code}: ${text}`;
        assert.match(text, SECOND_PERSON[language], says);
        assert.doesNotMatch(text, /payer['’]s|the payer|le payeur/i, says);
      }
    }
  });

  it('give no reason for a code that the shop does not know', () => {
    assert.equal(reasonText('A_LATER_CODE', 'en'), undefined);
    assert.equal(reasonText('toString', 'en'), undefined);
    assert.equal(reasonText(null, 'en'), undefined);
    assert.match(reasonText('INSUFFICIENT_FUNDS', 'fr') ?? '', /Votre compte/);
  });

  it('are in the language that the browser prefers', () => {
    for (const [header, language] of [
      [undefined, 'en'],
      ['', 'en'],
      ['de, *;q=0.1', 'en'],
      ['fr', 'fr'],
      ['FR-ca,en;q=0.5', 'fr'],
      ['en-CA,fr-CA;q=0.9', 'en'],
      ['en;q=0.4, fr;q=0.8', 'fr'],
      ['de, fr;q=0.2, en;q=0.1', 'fr'],
      ['fr;q=0, en;q=0.1', 'en'],
      ['frisian', 'en'],
    ] as const) {
      assert.equal(preferredLanguage(header), language, header);
    }
  });
});
