import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { STATUS_REASON_CODES } from '@payment-requests/sdk';
import { LANGUAGES, preferredLanguage } from '../src/language.ts';
import { REFUSALS } from '../src/refunds/send-refund.ts';
import { reasonText, TEXTS } from '../src/texts.ts';

/** Words that both languages spell alike, and a state without a sentence. */
const EQUAL = new Set(['paymentWindow.over', 'order.sum', 'developers.webhooks']);
const SECOND_PERSON: Readonly<Record<string, RegExp>> = {
  en: /\byour?\b/i,
  fr: /\b(vous|votre|vos)\b/i,
};

/** Every text by its path. */
function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  assert.ok(typeof value === 'object' && value !== null, path);
  return Object.entries(value).flatMap(([name, inner]) =>
    textsOf(inner, path === '' ? name : `${path}.${name}`),
  );
}

function placesOf(text: string): string[] {
  return (text.match(/\{\w+\}/g) ?? []).sort();
}

describe('the shop’s texts', () => {
  it('have a file for each language, and no other', () => {
    const files = LANGUAGES.map((language) => `${language}.json`);
    assert.deepEqual(readdirSync(new URL('../texts/', import.meta.url)).sort(), files.sort());
  });

  for (const language of LANGUAGES.filter((each) => each !== 'en')) {
    it(`exist in every language, with the same values: ${language}`, () => {
      const [english, others] = [textsOf(TEXTS.en), new Map(textsOf(TEXTS[language]))];
      assert.deepEqual(
        [...others.keys()],
        english.map(([path]) => path),
      );
      for (const [path, text] of english) {
        const other = others.get(path) ?? '';
        assert.deepEqual(placesOf(other), placesOf(text), `${path} loses a value`);
        if (EQUAL.has(path)) continue;
        assert.ok(text.trim() !== '' && other.trim() !== '', path);
        assert.notEqual(text, other, `${path} is not translated`);
      }
    });
  }

  it('exist for every refusal of a refund', () => {
    assert.deepEqual(Object.keys(TEXTS.en.refusals).sort(), [...REFUSALS, 'OTHER'].sort());
  });

  it('address the customer for every reason code of the SDK', () => {
    for (const language of LANGUAGES) {
      const { reasons } = TEXTS[language];
      assert.deepEqual(Object.keys(reasons).sort(), [...STATUS_REASON_CODES].sort(), language);
      for (const [code, text] of Object.entries(reasons)) {
        const says = `${language}, ${code}: ${text}`;
        assert.match(text, SECOND_PERSON[language] ?? /./, says);
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
      ['xx, *;q=0.1', 'en'],
      ['fr', 'fr'],
      ['FR-ca,en;q=0.5', 'fr'],
      ['en-CA,fr-CA;q=0.9', 'en'],
      ['en;q=0.4, fr;q=0.8', 'fr'],
      ['xx, fr;q=0.2, en;q=0.1', 'fr'],
      ['fr;q=0, en;q=0.1', 'en'],
      ['frisian', 'en'],
    ] as const) {
      assert.equal(preferredLanguage(header), language, header);
    }
  });
});
