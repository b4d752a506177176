import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';

const texts = pageTexts('console.shell.done');

/** The line of `?done=`; null for keys that a page knows itself. */
export function doneText(language: ConsoleLanguage, key: string | null): string | null {
  return key === 'done' || key === 'saved' ? texts[language].text(key) : null;
}
