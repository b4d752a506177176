import { pageTexts } from '#http/pages/texts.ts';

export const REPLAY_TEXTS = pageTexts('console.webhooks.replays');
