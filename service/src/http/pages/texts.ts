import { readFileSync } from 'node:fs';
import { html } from 'ghtml';
import { IntlMessageFormat } from 'intl-messageformat';
import {
  type ConsoleLanguage,
  LANGUAGES,
  type Language,
  LOCALES,
} from '#http/negotiation/choose-language.ts';

/**
 * The texts of every page, as ICU messages: page → key → text. `common` is for all pages,
 * `console.common` for those of the console.
 */
type Pages = typeof import('../../../texts/en.json', { with: { type: 'json' }});
type CommonName = 'common' | 'console.common';
export type PageName = Exclude<keyof Pages, CommonName>;
type Common<Page> = Pages['common'] &
  (Page extends ConsolePage ? Pages['console.common'] : unknown);
export type TextKey<Page extends PageName> = string & keyof (Common<Page> & Pages[Page]);

type ConsolePage = `console.${string}`;
type LanguageOf<Page> = Page extends ConsolePage ? ConsoleLanguage : Language;

type Values = Readonly<Record<string, string | number | Date>>;
type RichValues = Readonly<Record<string, string | number | Date | Html>>;

export interface Texts<Key extends string> {
  readonly language: Language;
  /** Plain text, not escaped. */
  text(key: Key, values?: Values): string;
  /** HTML: text and values escaped; `<code>` and `<strong>` of the message and HTML values kept. */
  rich(key: Key, values?: RichValues): string;
}

/** A part of a message that is HTML already. */
export interface Html {
  readonly html: string;
}

const TAGS = {
  code: (chunks: readonly unknown[]): Html => ({ html: html`<code>${chunks.join('')}</code>` }),
  strong: (chunks: readonly unknown[]): Html => ({
    html: html`<strong>${chunks.join('')}</strong>`,
  }),
};

/**
 * The texts of a page in each of its languages. A page's own text counts before those of the pages
 * that it is one of, and these before the common ones.
 */
export function pageTexts<Page extends PageName>(
  page: Page,
  ...kinds: readonly PageName[]
): Readonly<Record<LanguageOf<Page>, Texts<TextKey<Page>>>> {
  const texts = LANGUAGES.map((language) => {
    const find = (key: string): string | undefined => {
      const pages = readPages(language);
      const common = page.startsWith('console.') ? ['console.common', 'common'] : ['common'];
      return [page, ...kinds, ...common].map((name) => pages[name]?.[key]).find(Boolean);
    };
    return [language, compileTexts(language, find)];
  });
  return Object.fromEntries(texts) as Record<LanguageOf<Page>, Texts<TextKey<Page>>>;
}

/** Whether a page has a text of its own with a key, such as one out of an address. */
export function hasText<Page extends PageName>(
  page: Page,
  key: string | null,
): key is string & keyof Pages[Page] {
  return key !== null && Object.hasOwn(readPages('en')[page] ?? {}, key);
}

type Messages = Readonly<Record<string, Readonly<Record<string, string>>>>;
const pagesByLanguage = new Map<Language, Messages>();

/** Reads the file of a language when its first text is shown: most processes show none. */
function readPages(language: Language): Messages {
  const known = pagesByLanguage.get(language);
  if (known) return known;
  const file = new URL(`../../../texts/${language}.json`, import.meta.url);
  const pages: Messages = JSON.parse(readFileSync(file, 'utf8'));
  pagesByLanguage.set(language, pages);
  return pages;
}

/** A message is parsed when it is first shown. */
export function compileTexts<Key extends string>(
  language: Language,
  messageOf: (key: Key) => string | undefined,
): Texts<Key> {
  const formats = new Map<string, IntlMessageFormat>();
  const find = (key: Key): IntlMessageFormat => {
    const known = formats.get(key);
    if (known) return known;
    const message = messageOf(key);
    if (message === undefined) throw new Error(`There is no text ${key} in ${language}.`);
    const format = new IntlMessageFormat(message, LOCALES[language]);
    formats.set(key, format);
    return format;
  };
  return {
    language,
    text: (key, values) => joinFullStops(String(find(key).format(markFullStops(values)))),
    rich(key, values) {
      const parts = find(key).formatToParts<Html>({ ...markFullStops(values), ...TAGS });
      const texts = parts.map((part) =>
        typeof part.value === 'string' ? html`${part.value}` : part.value.html,
      );
      return joinFullStops(texts.join(''));
    },
  };
}

/** A character without a meaning; no value that pages show has it. */
const END = '\ue000';

/** Marks the end of values that end with a full stop, as in "Books Inc.", or are cut. */
function markFullStops<Values extends RichValues>(values: Values | undefined): Values | undefined {
  if (!values) return values;
  const marked = Object.entries(values).map(([name, value]) =>
    typeof value === 'string' && /[.…]$/.test(value) ? [name, value + END] : [name, value],
  );
  return Object.fromEntries(marked) as Values;
}

/** A sentence that ends with such a value has a single full stop. */
function joinFullStops(text: string): string {
  if (!text.includes(END)) return text;
  return text.replaceAll(/([.…])\ue000\./g, '$1').replaceAll(END, '');
}
