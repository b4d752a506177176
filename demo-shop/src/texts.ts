import { readFileSync } from 'node:fs';
import { LANGUAGES, type Language, LOCALES } from './language.ts';

/** The English texts give the type of all: a test compares the keys of every language. */
export type Texts = typeof import('../texts/en.json', { with: { type: 'json' }});

const read = LANGUAGES.map((language) => {
  const file = new URL(`../texts/${language}.json`, import.meta.url);
  return [language, JSON.parse(readFileSync(file, 'utf8'))];
});
export const TEXTS: Readonly<Record<Language, Texts>> = Object.fromEntries(read);

/** Puts values into the places of a text: `Order {number}`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** The form of a word beside a number, by the rules of the language. */
export function pluralOf(
  forms: Readonly<Record<'one' | 'other', string>>,
  count: number,
  language: Language,
): string {
  const form = new Intl.PluralRules(LOCALES[language]).select(count);
  return form === 'one' ? forms.one : forms.other;
}

/** Finds the words for a refund that the service refused; a later code has a general sentence. */
export function refusalText(code: string, language: Language): string {
  const { refusals } = TEXTS[language];
  const texts: Readonly<Record<string, string>> = refusals;
  return (Object.hasOwn(texts, code) ? texts[code] : undefined) ?? refusals.OTHER;
}

/**
 * Finds the words for the reason of a payment that did not succeed.
 *
 * @returns undefined for no reason, and for a code that a later version of the service adds
 */
export function reasonText(code: string | null, language: Language): string | undefined {
  const reasons: Readonly<Record<string, string>> = TEXTS[language].reasons;
  return code !== null && Object.hasOwn(reasons, code) ? reasons[code] : undefined;
}
