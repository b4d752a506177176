import type { Language } from '#http/negotiation/choose-language.ts';
import type { ErrorPageOptions } from '#http/pages/error-page.ts';
import type { Look } from '#http/pages/page.ts';
import { readStyle } from '#http/pages/style.ts';
import { pageTexts, type TextKey } from '#http/pages/texts.ts';

/** The texts of the pages of a bank transfer. */
export const transferTexts = pageTexts('payer.bank-transfer');
export type TransferText = TextKey<'payer.bank-transfer'>;

/** The style of the pages of a bank transfer, beside every page's own. */
const STYLE = readStyle('payer/bank-transfer');

/** A building with columns, as banks are drawn. */
const MARK =
  '<svg viewBox="0 0 28 28" aria-hidden="true" focusable="false" fill="none" ' +
  'stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
  '<path d="M3 11 14 4l11 7zM6 15v6m5-6v6m6-6v6m5-6v6M3 24.5h22"/></svg>';

export function transferLook(language: Language): Look {
  return { brand: transferTexts[language].text('brand'), mark: MARK, style: STYLE };
}

/** Error pages wear the same look. */
export function transferErrorPages(isDemo: boolean): ErrorPageOptions {
  return {
    notice: (language) => (isDemo ? transferTexts[language].text('notice') : undefined),
    look: transferLook,
  };
}
