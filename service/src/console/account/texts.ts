import { pageTexts } from '#http/pages/texts.ts';

export const ACCOUNT_TEXTS = pageTexts('console.account');
