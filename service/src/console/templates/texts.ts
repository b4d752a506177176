import { pageTexts } from '#http/pages/texts.ts';

export const TEMPLATE_TEXTS = pageTexts('console.templates');
