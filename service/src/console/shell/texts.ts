import { pageTexts } from '#http/pages/texts.ts';

export const SHELL_TEXTS = pageTexts('console.shell');
