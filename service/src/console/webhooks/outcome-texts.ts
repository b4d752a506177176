import { pageTexts } from '#http/pages/texts.ts';

/** How attempts ended and why deliveries were given up: in English as the API says it. */
export const OUTCOME_TEXTS = pageTexts('console.webhooks.outcomes');
