import { pageTexts } from '#http/pages/texts.ts';

export const CREATE_TEXTS = pageTexts('console.create');
