import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { hasText, pageTexts } from '#http/pages/texts.ts';

export const SHELL_TEXTS = pageTexts('console.shell');

const PAGE = 'console.shell.done';
const DONE_TEXTS = pageTexts(PAGE);

/** The line of `?done=`, which says what the person did; null for keys that a page knows itself. */
export function doneText(language: ConsoleLanguage, key: string | null): string | null {
  return hasText(PAGE, key) ? DONE_TEXTS[language].text(key) : null;
}
