import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import type { Page } from '#http/pages/page.ts';
import { shownText } from '#http/pages/shown-text.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { Wish } from '#messages/model/suppression.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';

const TEXTS = pageTexts('payer.refusal');

export interface RefusalPageOptions {
  readonly language: Language;
  readonly paymentRequest: PaymentRequest;
  readonly reason: Wish;
  /** The recipient has pressed the button. */
  readonly isDone: boolean;
}

/** The page that asks before it stops messages, and the page after it. */
export function refusalPage({
  language,
  paymentRequest,
  reason,
  isDone,
}: RefusalPageOptions): Page {
  const { text } = TEXTS[language];
  const values = { merchant: shownText(paymentRequest.merchant.name) };
  const title = text(isDone ? `${reason}.done` : `${reason}.title`, values);
  const lead = html`<p>${text(isDone ? `${reason}.after` : `${reason}.lead`, values)}</p>`;
  // The form goes to the address of the page.
  const form = html`<form method="post"><button class="button">${text(`${reason}.button`)}</button>
</form>`;
  return {
    language,
    title,
    body: html`<h1>${title}</h1>!${lead}!${isDone ? '' : form}`,
  };
}
