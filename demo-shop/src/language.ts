/**
 * The languages of the shop's pages and their locales: amounts are written as in Canada. A language
 * is a line here and its file in texts/; the payment pages should have it as well.
 */
export const LOCALES = {
  en: 'en-CA',
  fr: 'fr-CA',
} as const;
export type Language = keyof typeof LOCALES;
export const LANGUAGES = Object.keys(LOCALES) as readonly Language[];

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
