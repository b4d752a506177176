import { pageTexts } from '#http/pages/texts.ts';

export const CREDENTIAL_TEXTS = pageTexts('console.credentials');
