import { pageTexts } from '#http/pages/texts.ts';

export const REQUEST_TEXTS = pageTexts('console.payment-requests');
