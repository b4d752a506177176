import { readPreferences } from './read-preferences.ts';

/** The languages of the console. Their files in service/texts have the texts of every page. */
const CONSOLE_LOCALES = {
  en: 'en-CA',
  fr: 'fr-CA',
} as const;

/**
 * The languages of payers' pages (contract §4, payer.preferredLanguage) and their locales: amounts,
 * dates and plurals are written as there. A language is a line here and its file in service/texts,
 * without the pages of the console; the console is in one of its own languages then.
 */
export const LOCALES = {
  ...CONSOLE_LOCALES,
  de: 'de-DE',
  es: 'es-ES',
  it: 'it-IT',
  nl: 'nl-NL',
  pt: 'pt-PT',
} as const;
export type Language = keyof typeof LOCALES;
export type ConsoleLanguage = keyof typeof CONSOLE_LOCALES;
export const LANGUAGES = Object.keys(LOCALES) as readonly Language[];
export const CONSOLE_LANGUAGES = Object.keys(CONSOLE_LOCALES) as readonly ConsoleLanguage[];

export interface LanguagePreferences<Spoken extends Language> {
  /** The address's `lang` parameter, as the query was parsed. */
  readonly asked: unknown;
  /** `payer.preferredLanguage` of the payment request, where it is known. */
  readonly preferred: string | null;
  readonly acceptLanguage: string | undefined;
  /** The languages that the page has. */
  readonly languages: readonly Spoken[];
}

/**
 * The language of a page: the one asked for, then the payer's preferred one, then the browser's,
 * then English. A preferred language that pages do not speak is English (contract §4).
 */
export function chooseLanguage<Spoken extends Language>({
  asked,
  preferred,
  acceptLanguage,
  languages,
}: LanguagePreferences<Spoken>): Spoken | 'en' {
  const spoken = (tag: string) =>
    languages.find((language) => language === tag.toLowerCase().split('-')[0]);
  const chosen = languages.find((language) => language === asked);
  if (chosen) return chosen;
  if (preferred !== null) return spoken(preferred) ?? 'en';
  for (const { value, quality } of readPreferences(acceptLanguage)) {
    const language = spoken(value);
    if (language && quality > 0) return language;
  }
  return 'en';
}
