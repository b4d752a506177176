import type { Language } from '../language.ts';
import { en, type Texts } from './en.ts';
import { fr } from './fr.ts';

export const TEXTS: Readonly<Record<Language, Texts>> = { en, fr };

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
