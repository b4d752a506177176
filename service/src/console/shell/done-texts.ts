import type { Language } from '#http/negotiation/choose-language.ts';
import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

type Key = 'done' | 'saved';

const CATALOGUE: Catalogue<Key> = {
  en: { done: 'Done.', saved: 'Saved.' },
  fr: { done: 'C’est fait.', saved: 'Enregistré.' },
};

const texts = compileTexts(CATALOGUE);

/** The line of `?done=`; null for keys that a page knows itself. */
export function doneText(language: Language, key: string | null): string | null {
  return key === 'done' || key === 'saved' ? texts[language].text(key) : null;
}
