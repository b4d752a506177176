import { pageTexts } from '#http/pages/texts.ts';

export const OPERATOR_TEXTS = pageTexts('console.operators');
