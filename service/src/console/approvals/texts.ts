import { pageTexts } from '#http/pages/texts.ts';

export const APPROVAL_TEXTS = pageTexts('console.approvals');
