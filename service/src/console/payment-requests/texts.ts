import { pageTexts } from '#http/pages/texts.ts';

export const REQUEST_TEXTS = pageTexts('console.payment-requests');
export const TIMELINE_TEXTS = pageTexts('console.payment-requests.timeline');
/** Why a payment or a refund failed. */
export const REASON_TEXTS = pageTexts('console.reasons');
