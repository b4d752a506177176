import { pageTexts, type TextKey } from '#http/pages/texts.ts';

/** The texts of the pages of a bank transfer. */
export const transferTexts = pageTexts('payer.bank-transfer');
export type TransferText = TextKey<'payer.bank-transfer'>;
