import { pageTexts } from '#http/pages/texts.ts';

export const OVERVIEW_TEXTS = pageTexts('console.overview');
