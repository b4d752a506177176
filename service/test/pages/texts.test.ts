import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TRANSFER_TEXTS } from '#e-transfer/bank-transfer/pages/transfer-texts.ts';
import { GATEWAY_TEXTS } from '#e-transfer/simulated-network/pages/gateway-texts.ts';
import { LANGUAGES } from '#http/negotiation/choose-language.ts';
import { PAGE_ERROR_TEXTS } from '#http/pages/error-page.ts';
import { PAGE_TEXTS } from '#http/pages/page.ts';
import { type Catalogue, compileTexts } from '#http/pages/texts.ts';
import { PAYMENT_STATE_TEXTS } from '#payment-requests/payer-link/pages/payment-state-texts.ts';
import { SANDBOX_LINK_TEXTS } from '#payment-requests/payer-link/pages/sandbox-link-texts.ts';

const CATALOGUES: Readonly<Record<string, Catalogue<string>>> = {
  'every page': PAGE_TEXTS,
  'what is in the way of a page': PAGE_ERROR_TEXTS,
  'the sandbox’s links': SANDBOX_LINK_TEXTS,
  'the states of a link': PAYMENT_STATE_TEXTS,
  'the gateway': GATEWAY_TEXTS,
  'a bank transfer': TRANSFER_TEXTS,
};

/** Texts that are the same in both languages, on purpose. */
const SAME = new Set([
  'language',
  'sandbox.depositExpire',
  'facts.message',
  'field.iban',
  'field.bic',
]);

/** The placeholders and tags of a message. */
function partsOf(message: string): string[] {
  return (message.match(/\{\w+|<\/?\w+>/g) ?? []).sort();
}

/** Something for every placeholder. */
function valuesOf(message: string): Record<string, string> {
  return Object.fromEntries([...message.matchAll(/\{(\w+)/g)].map(([, name]) => [name, '3']));
}

for (const [name, catalogue] of Object.entries(CATALOGUES)) {
  describe(`the texts of ${name}`, () => {
    const keys = Object.keys(catalogue.en);

    it('are there in every language', () => {
      for (const language of LANGUAGES) {
        assert.deepEqual(Object.keys(catalogue[language]), keys);
        for (const key of keys) assert.ok(catalogue[language][key]?.trim(), `${language} ${key}`);
      }
    });

    it('are translated', () => {
      const same = keys.filter((key) => catalogue.en[key] === catalogue.fr[key]);
      assert.deepEqual(
        same.filter((key) => !SAME.has(key)),
        [],
      );
    });

    it('are filled with the same values in every language', () => {
      for (const key of keys) {
        assert.deepEqual(partsOf(catalogue.fr[key] ?? ''), partsOf(catalogue.en[key] ?? ''), key);
      }
    });

    it('have no straight apostrophe, which is an escape in a message', () => {
      for (const language of LANGUAGES) {
        for (const key of keys) assert.doesNotMatch(catalogue[language][key] ?? '', /'/, key);
      }
    });

    it('have a space that does not break before a French colon', () => {
      for (const key of keys) assert.doesNotMatch(catalogue.fr[key] ?? '', /[^\u00a0]:/, key);
    });

    it('are well-formed messages', () => {
      const texts = compileTexts(catalogue);
      for (const language of LANGUAGES) {
        for (const key of keys)
          assert.ok(texts[language].rich(key, valuesOf(catalogue.en[key] ?? '')), key);
      }
    });
  });
}

describe('a text', () => {
  const texts = compileTexts({
    en: { hello: 'Hello <strong>{name}</strong> & {count, plural, one {# one} other {# more}}' },
    fr: { hello: 'Bonjour <strong>{name}</strong> & {count, number}' },
  });

  it('escapes what it is filled with and itself, and keeps its own tags', () => {
    assert.equal(
      texts.en.rich('hello', { name: '<b>"Ada"</b>', count: 2 }),
      'Hello <strong>&#60;b&#62;&#34;Ada&#34;&#60;/b&#62;</strong> &#38; 2 more',
    );
  });

  it('ends with a single full stop after a value that ends with one', () => {
    const { en } = compileTexts({
      en: { told: '{name} knows. Ask {name}.', bold: 'Ask <strong>{name}</strong>, {name}.' },
      fr: { told: '{name}.', bold: '<strong>{name}</strong>, {name}.' },
    });
    const name = 'A. & Sons Inc.';
    assert.equal(en.text('told', { name }), 'A. & Sons Inc. knows. Ask A. & Sons Inc.');
    assert.equal(en.text('told', { name: 'Etc...' }), 'Etc... knows. Ask Etc...');
    assert.equal(
      en.rich('bold', { name }),
      'Ask <strong>A. &#38; Sons Inc.</strong>, A. &#38; Sons Inc.',
    );
  });

  it('writes numbers as its language does', () => {
    assert.match(texts.fr.rich('hello', { name: 'x', count: 12345 }), /12\u00a0345$/);
  });

  it('refuses a key that is not there', () => {
    assert.throws(() => texts.en.text('other' as 'hello'), /no text other in en/);
  });

  it('refuses a malformed message when it is shown', () => {
    const { en } = compileTexts({ en: { a: '{' }, fr: { a: 'x' } });
    assert.throws(() => en.text('a'), SyntaxError);
  });
});
