import { pageTexts, type TextKey } from '#http/pages/texts.ts';

/** The texts of the pages of a payment link. */
export const PAYMENT_STATE_TEXTS = pageTexts('payer.link');
export type PaymentStateText = TextKey<'payer.link'>;
