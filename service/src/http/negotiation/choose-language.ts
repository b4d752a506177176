import { readPreferences } from './read-preferences.ts';

/**
 * The languages of all pages (contract §4, payer.preferredLanguage) and their locales: amounts,
 * dates and plurals are written as in Canada, whose currency is the default. A language is a line
 * here and its file in service/texts.
 */
export const LOCALES = {
  en: 'en-CA',
  fr: 'fr-CA',
} as const;
export type Language = keyof typeof LOCALES;
export const LANGUAGES = Object.keys(LOCALES) as readonly Language[];

export interface LanguagePreferences {
  /** The address's `lang` parameter, as the query was parsed. */
  readonly asked: unknown;
  /** `payer.preferredLanguage` of the payment request, where it is known. */
  readonly preferred: string | null;
  readonly acceptLanguage: string | undefined;
}

/**
 * The language of a page: the one asked for, then the payer's preferred one, then the browser's,
 * then English. A preferred language that pages do not speak is English (contract §4).
 */
export function chooseLanguage({
  asked,
  preferred,
  acceptLanguage,
}: LanguagePreferences): Language {
  const chosen = LANGUAGES.find((language) => language === asked);
  if (chosen) return chosen;
  if (preferred !== null) return spoken(preferred) ?? 'en';
  for (const { value, quality } of readPreferences(acceptLanguage)) {
    const language = spoken(value);
    if (language && quality > 0) return language;
  }
  return 'en';
}

function spoken(tag: string): Language | undefined {
  const primary = tag.toLowerCase().split('-')[0];
  return LANGUAGES.find((language) => language === primary);
}
