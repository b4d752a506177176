import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import type { Page } from '#http/pages/page.ts';
import type { PageScript } from '#http/pages/scripts.ts';
import { shownText } from '#http/pages/shown-text.ts';
import { compileTexts } from '#http/pages/texts.ts';
import type { GatewayPayment } from '../gateway-payment.ts';
import type { Institution } from '../institutions.ts';
import { gatewayLook, institutionLook } from './gateway-style.ts';
import { GATEWAY_TEXTS, type GatewayText } from './gateway-texts.ts';

export const gatewayTexts = compileTexts(GATEWAY_TEXTS);

/** The options that all pages of the gateway share. */
export interface GatewayPageOptions {
  readonly payment: GatewayPayment;
  readonly language: Language;
  /** For the page's form. */
  readonly token: string;
  /** The gateway's own path of this payment. */
  readonly path: string;
}

/** A page that follows the payment; an institution's wears that one's look. */
export function gatewayPage(
  { payment, language, path }: GatewayPageOptions,
  title: string,
  {
    body,
    institution,
    scripts = [],
  }: {
    readonly body: string;
    readonly institution?: Institution;
    readonly scripts?: readonly PageScript[];
  },
): Page {
  const { text } = gatewayTexts[language];
  return {
    language,
    title,
    notice: text('notice'),
    look: institution ? institutionLook(institution) : gatewayLook(text('brand')),
    scripts: ['live-page', ...scripts],
    body: html`<div data-live="${path}/live?seen=${payment.version}">!${body}</div>`,
  };
}

/** The values of the placeholders in messages. */
export function valuesOf({ payment, language }: Pick<GatewayPageOptions, 'payment' | 'language'>) {
  return {
    amount: localizedAmount(language, payment.amountCents, payment.currency),
    merchant: shownText(payment.merchantName),
  };
}

/** The facts of the payment request, in full. */
export function askedFacts(options: Pick<GatewayPageOptions, 'payment' | 'language'>): string {
  const { payment, language } = options;
  const { text } = gatewayTexts[language];
  const { amount, merchant } = valuesOf(options);
  const facts: readonly (readonly [GatewayText, string | null])[] = [
    ['facts.merchant', merchant],
    ['facts.message', payment.displayMessage],
    ['facts.invoice', payment.invoiceNumber],
  ];
  const rows = facts.flatMap(([name, value]) =>
    value === null ? [] : html`<dt>${text(name)}</dt><dd><bdi>${shownText(value)}</bdi></dd>`,
  );
  return html`<dl class="asked"><dt>${text('facts.amount')}</dt><dd class="sum">${amount}</dd>
!${rows.join('\n')}</dl>`;
}

/** A form that posts to the page's own address. */
export function form(token: string, content: string): string {
  return html`<form method="post"><input type="hidden" name="token" value="${token}">
!${content}</form>`;
}

export function errorLine(id: string, message: string | null): string {
  return message === null ? '' : html`<p class="error" id="${id}" role="alert">${message}</p>`;
}
