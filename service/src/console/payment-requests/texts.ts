import { pageTexts } from '#http/pages/texts.ts';

export const REQUEST_TEXTS = pageTexts('console.payment-requests');
/** Why a payment or a refund failed. */
export const REASON_TEXTS = pageTexts('console.reasons');
