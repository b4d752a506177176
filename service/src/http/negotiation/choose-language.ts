import { readPreferences } from './read-preferences.ts';

/** The languages that pages speak (contract §4, payer.preferredLanguage). */
export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Amounts, dates and plurals are written as in Canada, whose currency is the default. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-CA', fr: 'fr-CA' };

export interface LanguageWishes {
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
export function chooseLanguage({ asked, preferred, acceptLanguage }: LanguageWishes): Language {
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
