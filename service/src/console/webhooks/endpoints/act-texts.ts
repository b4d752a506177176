import { pageTexts } from '#http/pages/texts.ts';

export const ENDPOINT_ACT_TEXTS = pageTexts('console.webhooks.endpoints.acts');
