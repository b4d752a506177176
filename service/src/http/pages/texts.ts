import { html } from 'ghtml';
import { IntlMessageFormat } from 'intl-messageformat';
import { LANGUAGES, type Language, LOCALES } from '#http/negotiation/choose-language.ts';

/** The texts of some pages, in every language, as ICU messages under the same keys. */
export type Catalogue<Key extends string> = Readonly<
  Record<Language, Readonly<Record<Key, string>>>
>;

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
 * The texts of a catalogue. A message is parsed when it is first shown: a start would parse
 * thousands, and most processes show few.
 */
export function compileTexts<Key extends string>(
  catalogue: Catalogue<Key>,
): Readonly<Record<Language, Texts<Key>>> {
  const compiled = LANGUAGES.map((language) => [
    language,
    compileLanguage(language, catalogue[language]),
  ]);
  return Object.fromEntries(compiled);
}

function compileLanguage<Key extends string>(
  language: Language,
  messages: Readonly<Record<Key, string>>,
): Texts<Key> {
  const formats = new Map<string, IntlMessageFormat>();
  const find = (key: Key): IntlMessageFormat => {
    const known = formats.get(key);
    if (known) return known;
    if (!Object.hasOwn(messages, key)) throw new Error(`There is no text ${key} in ${language}.`);
    const format = new IntlMessageFormat(messages[key], LOCALES[language]);
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

/** Marks the end of values that end with a full stop, as in "Books Inc.". */
function markFullStops<Values extends RichValues>(values: Values | undefined): Values | undefined {
  if (!values) return values;
  const marked = Object.entries(values).map(([name, value]) =>
    typeof value === 'string' && value.endsWith('.') ? [name, value + END] : [name, value],
  );
  return Object.fromEntries(marked) as Values;
}

/** A sentence that ends with such a value has a single full stop. */
function joinFullStops(text: string): string {
  return text.replaceAll(`.${END}.`, '.').replaceAll(END, '');
}
