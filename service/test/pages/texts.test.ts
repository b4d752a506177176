import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { IntlMessageFormat } from 'intl-messageformat';
import {
  CONSOLE_LANGUAGES,
  LANGUAGES,
  type Language,
  LOCALES,
} from '#http/negotiation/choose-language.ts';
import { compileTexts } from '#http/pages/texts.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import type { ProblemCode } from '#lib/problem.ts';
import { END_REASONS } from '#webhooks/model/delivery.ts';
import { DELIVERY_OUTCOMES } from '#webhooks/model/outcomes.ts';
import { importsOf, readTree, withoutComments } from '../architecture/tree.ts';

type Messages = Readonly<Record<string, string>>;
const FOLDER = new URL('../../texts/', import.meta.url);

function readPages(language: Language): Readonly<Record<string, Messages>> {
  return JSON.parse(readFileSync(new URL(`${language}.json`, FOLDER), 'utf8'));
}

const pages = new Map(LANGUAGES.map((language) => [language, readPages(language)]));
const english = readPages('en');

interface Text {
  readonly language: Language;
  /** `page key` */
  readonly name: string;
  readonly message: string;
}

/** Every text of a language. */
function textsOf(language: Language): Text[] {
  return Object.entries(pages.get(language) ?? {}).flatMap(([page, messages]) =>
    Object.entries(messages).map(([key, message]) => ({
      language,
      name: `${page} ${key}`,
      message,
    })),
  );
}

const all = LANGUAGES.flatMap(textsOf);
const isOfConsole = ({ name }: Pick<Text, 'name'>) => name.startsWith('console.');

/** Texts of payers' pages that are the same in English and other languages, on purpose. */
const SAME = new Set([
  'payer.contact contact.website',
  'payer.contact contact.email',
  'payer.gateway error.title',
  'payer.gateway sign-in.password',
  'payer.sandbox-link sandbox.depositExpire',
  'common facts.message',
  'payer.bank-transfer field.iban',
  'payer.bank-transfer field.bic',
  'payer.message row',
]);

/**
 * Words whose form depends on the value behind them: `de Boreal Bank` but `d’Alpes Banque`, `al 7`
 * but `all’8`. An article depends on the gender of a name. French words stand as they are before
 * digits.
 */
const JOINED: Readonly<Record<Language, string>> = {
  en: 'a|an',
  fr: 'de|que|le|la|ne|se|ce|jusque|lorsque|puisque',
  de: 'der|die|das|den|dem|des|am|im|zum|zur|vom|ein|eine|einen|einem|einer',
  es: 'y|o|la|un|una',
  it: 'il|lo|la|i|gli|le|al|allo|alla|ai|dal|del|nel|sul|un|uno|una',
  nl: 'de|het|een',
  pt: 'o|os|as|do|da|dos|das|no|na|ao|um|uma|pelo|pela',
};
const IN_DIGITS = 'amount|owed|received|count|most|shown|day|date|from';

/** The joins of a message that would be wrong before some values. */
function wrongJoins({ language, message }: Pick<Text, 'language' | 'message'>): string[] {
  const left = language === 'fr' || language === 'pt' ? IN_DIGITS : 'nothing';
  const join = `(?<![\\p{L}’-])(?:${JOINED[language]})\\s(?:<\\w+>)?\\{(?!(?:${left})\\b)\\w+`;
  return message.match(new RegExp(join, 'giu')) ?? [];
}

type Element = ReturnType<IntlMessageFormat['getAst']>[number];

/** The placeholders and tags of a message. */
function partsOf(elements: readonly Element[]): string[] {
  return elements.flatMap((element) => {
    if ('children' in element) return [`<${element.value}>`, ...partsOf(element.children)];
    if ('options' in element) {
      const inner = Object.values(element.options).flatMap(({ value }) => partsOf(value));
      return [element.value, ...new Set(inner)];
    }
    return 'value' in element && element.type !== 0 ? [element.value] : [];
  });
}

function partsIn({ message, language }: Text): string[] {
  return partsOf(new IntlMessageFormat(message, LOCALES[language]).getAst()).sort();
}

/** Something for every placeholder. */
function valuesOf(message: string): Record<string, string> {
  return Object.fromEntries([...message.matchAll(/\{(\w+)/g)].map(([, name]) => [name, '3']));
}

describe('the texts of all pages', () => {
  it('have a file for each language, and no other', () => {
    const files = LANGUAGES.map((language) => `${language}.json`);
    assert.deepEqual(readdirSync(FOLDER).sort(), files.sort());
    assert.ok(all.length > 3000, `${all.length} texts`);
  });

  for (const language of LANGUAGES) {
    describe(`in ${language}`, () => {
      const texts = textsOf(language);

      const hasConsole = CONSOLE_LANGUAGES.some((each) => each === language);
      const expected = textsOf('en').filter((text) => hasConsole || !isOfConsole(text));

      it(`are those of ${hasConsole ? 'every page' : 'payers’ pages'} in English`, () => {
        const names = (of: readonly Text[]) => of.map(({ name }) => name);
        assert.deepEqual(names(texts), names(expected));
        for (const { name, message } of texts) assert.ok(message.trim(), name);
      });

      it('are filled with the same values as in English', () => {
        const own = new Map(texts.map((text) => [text.name, text]));
        for (const text of expected) {
          assert.deepEqual(partsIn(own.get(text.name) ?? text), partsIn(text), text.name);
        }
      });

      it('are translated on payers’ pages', () => {
        const own = new Map(texts.map(({ name, message }) => [name, message]));
        const same = textsOf('en')
          .filter((text) => !isOfConsole(text) && own.get(text.name) === text.message)
          .filter(({ name }) => language !== 'en' && !SAME.has(name));
        assert.deepEqual(same, []);
      });

      it('are well-formed messages, with known tags', () => {
        for (const { name, message } of texts) {
          const { rich } = compileTexts(language, () => message);
          assert.ok(rich(name, valuesOf(message)), name);
        }
      });

      it('name no value like a tag, which would be shown in its place', () => {
        for (const { name, message } of texts) {
          assert.doesNotMatch(message, /\{(code|strong)\b/, name);
        }
      });

      it('have no straight apostrophe, which is an escape in a message', () => {
        for (const { name, message } of texts) assert.doesNotMatch(message, /'/, name);
      });
    });
  }

  it('do not repeat a common text on a page', () => {
    const repeated = textsOf('en').filter(({ name }) => {
      const [page = '', key = ''] = name.split(' ');
      const all = page.startsWith('console.') ? ['console.common', 'common'] : ['common'];
      return all.some(
        (common) =>
          page !== common &&
          CONSOLE_LANGUAGES.map((each) => pages.get(each)).every(
            (of) => of?.[page]?.[key] === of?.[common]?.[key],
          ),
      );
    });
    assert.deepEqual(repeated, []);
  });

  it('have a space that does not break before a French colon', () => {
    for (const { name, message } of textsOf('fr')) {
      assert.doesNotMatch(message.replaceAll(/https:[^\s}]*/g, ''), /[^\u00a0]:/, name);
    }
  });

  it('join no word to a value that could change its form', () => {
    for (const text of all) assert.deepEqual(wrongJoins(text), [], text.name);
    const planted = {
      en: 'a {merchant}',
      fr: 'au nom de <strong>{username}</strong>',
      de: 'von der {institution}',
      es: 'Pagar a Ada y {merchant}',
      it: 'fino al {expiresAt}',
      nl: 'bij de {institution}',
      pt: 'na {institution}',
    };
    for (const language of LANGUAGES) {
      const message = planted[language];
      assert.equal(wrongJoins({ language, message }).length, 1, message);
    }
  });

  it('say in English how webhooks end as the API says it', () => {
    assert.deepEqual(english['console.webhooks.outcomes'], {
      ...DELIVERY_OUTCOMES,
      ...END_REASONS,
    });
  });

  it('say after each act of the console what it did', () => {
    const OWN = ['created', 'refunded', 'proposed'];
    const keys = [...readTree()]
      .filter(([path]) => path.startsWith('service/src/console/'))
      .flatMap(([, text]) => [...text.matchAll(/\bdone: (?:\w+ \? '(\w+)' : )?'(\w+)'/g)])
      .flatMap(([, ...found]) => found.filter(Boolean));
    assert.ok(keys.length > 15, `${keys.length} acts`);
    const silent = keys.filter(
      (key) => !OWN.includes(key) && !english['console.shell.done']?.[key],
    );
    assert.deepEqual(silent, []);
  });

  it('have every refusal that a page of the console can show', () => {
    const tree = readTree();
    const imports = Map.groupBy(importsOf(tree), ({ from }) => from);
    const reached = new Set(
      [...tree.keys()].filter((path) => /^service\/src\/console\//.test(path)),
    );
    for (const path of reached) {
      for (const { to, isTypeOnly } of imports.get(path) ?? []) if (!isTypeOnly) reached.add(to);
    }
    assert.ok(reached.size > 500, `${reached.size} files`);
    const untranslated = [...reached].filter((path) =>
      /new OperatorFault\(\s*['"`]/.test(withoutComments(tree.get(path) ?? '')),
    );
    assert.deepEqual(untranslated, []);
  });

  it('say in English why a call is refused as the API says it', () => {
    const { field: _, ...sentences } = english['console.problems'] ?? {};
    for (const [code, sentence] of Object.entries(sentences)) {
      assert.equal(sentence, PROBLEMS[code as ProblemCode].detail);
    }
  });

  it('are all used', () => {
    const { pages: used, isKey } = namesInSources();
    const unused = textsOf('en').filter(({ name }) => {
      const [page = '', key = ''] = name.split(' ');
      return !used.has(page) || !isKey(key);
    });
    assert.deepEqual(unused, []);
  });
});

/**
 * The pages and keys that the service names: as a string, as a template such as `act.${act}`, or
 * as the name of a column that a page shows.
 */
function namesInSources() {
  const sources = [...readTree()]
    .filter(([path]) => path.startsWith('service/src/'))
    .map(([, text]) => withoutComments(text));
  const strings = new Set(sources.flatMap((text) => text.match(/(?<=')[^'\n]*(?=')/g) ?? []));
  const columns = sources
    .filter((text) => text.includes('titled('))
    .flatMap(
      (text) => text.match(/(?<=^ {2,4})\w+(?=: (?:show\.|\w+Column,|\{\s+isNumber))/gm) ?? [],
    );
  const templates = sources
    .flatMap((text) => text.match(/(?<=`)[\w.-]*(\$\{[^{}`]*\}[\w.-]*)+(?=`)/g) ?? [])
    .map((text) => text.split(/\$\{[^}]*\}/))
    .filter((fixed) => fixed.some((part) => /\w\.|\.\w|^Hint$/.test(part)))
    .map((fixed) => new RegExp(`^${fixed.map(RegExp.escape).join('.+')}$`));
  return {
    pages: new Set([...strings, 'common', 'console.common']),
    isKey: (key: string) =>
      strings.has(key) || columns.includes(key) || templates.some((pattern) => pattern.test(key)),
  };
}

describe('a text', () => {
  const hello = (language: Language, message: string) =>
    compileTexts(language, (key: 'hello') => (key === 'hello' ? message : undefined));
  const en = hello(
    'en',
    'Hello <strong>{name}</strong> & {count, plural, one {# one} other {# more}}',
  );
  const fr = hello('fr', 'Bonjour <strong>{name}</strong> & {count, number}');

  it('escapes what it is filled with and itself, and keeps its own tags', () => {
    assert.equal(
      en.rich('hello', { name: '<b>"Ada"</b>', count: 2 }),
      'Hello <strong>&#60;b&#62;&#34;Ada&#34;&#60;/b&#62;</strong> &#38; 2 more',
    );
  });

  it('ends with a single full stop after a value that ends with one', () => {
    const told = hello('en', '{name} knows. Ask {name}.');
    const bold = hello('en', 'Ask <strong>{name}</strong>, {name}.');
    const name = 'A. & Sons Inc.';
    assert.equal(told.text('hello', { name }), 'A. & Sons Inc. knows. Ask A. & Sons Inc.');
    assert.equal(told.text('hello', { name: 'Etc...' }), 'Etc... knows. Ask Etc...');
    assert.equal(told.text('hello', { name: 'Cut…' }), 'Cut… knows. Ask Cut…');
    assert.equal(
      bold.rich('hello', { name }),
      'Ask <strong>A. &#38; Sons Inc.</strong>, A. &#38; Sons Inc.',
    );
  });

  it('writes numbers as its language does', () => {
    assert.match(fr.rich('hello', { name: 'x', count: 12345 }), /12\u00a0345$/);
  });

  it('refuses a key that is not there', () => {
    assert.throws(() => en.text('other' as 'hello'), /no text other in en/);
  });

  it('refuses a malformed message when it is shown', () => {
    assert.throws(() => hello('en', '{').text('hello'), SyntaxError);
  });
});
