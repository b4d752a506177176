/** The languages of the shop's pages; the payment pages have both as well. */
export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text in every language. */
export type Localized = Readonly<Record<Language, string>>;

/** Amounts are written as in Canada. */
export const LOCALES: Localized = { en: 'en-CA', fr: 'fr-CA' };

/** Reads the name of a language; undefined for any other text. */
export function readLanguage(text: string | null | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === text);
}

/** Finds the language that a browser prefers (`Accept-Language`); English when it names neither. */
export function preferredLanguage(acceptLanguage = ''): Language {
  let [best, bestQuality]: [Language, number] = ['en', 0];
  for (const wish of acceptLanguage.split(',')) {
    const [, tag, quality = '1'] = /^\s*(\w+)[^;]*(?:;\s*q=([\d.]+))?/.exec(wish) ?? [];
    const language = readLanguage(tag?.toLowerCase());
    // The first of several equal wishes counts.
    if (language && Number(quality) > bestQuality)
      [best, bestQuality] = [language, Number(quality)];
  }
  return best;
}
