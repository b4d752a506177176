import { pageTexts } from '#http/pages/texts.ts';

export const ENDPOINT_TEXTS = pageTexts('console.webhooks.endpoints');
