import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { billPanel, billTitle, type Fact, foldedFacts, sum } from '#http/pages/bill.ts';
import { merchantOf, nameOf } from '#http/pages/merchant-heading.ts';
import type { Page } from '#http/pages/page.ts';
import { shownTime } from '#http/pages/shown-time.ts';
import type { GatewayPayment } from '../gateway-payment.ts';
import type { Institution } from '../institutions.ts';
import { gatewayLook, gatewayTexts, institutionLook } from './gateway-style.ts';

/** The options that all pages of the gateway share. */
export interface GatewayPageOptions {
  readonly payment: GatewayPayment;
  readonly language: Language;
  /** `TIME_ZONE` */
  readonly timeZone: string;
  /** For the page's form. */
  readonly token: string;
  /** The gateway's own path of this payment. */
  readonly path: string;
  /** Why the payer is on this page rather than on the page before; null: the payer came here. */
  readonly news: GatewayNews | null;
}

export interface GatewayPageParts
  extends Partial<Pick<Page, 'scripts' | 'query' | 'languageForm' | 'refreshSeconds'>> {
  readonly body: string;
  readonly institution?: Institution;
  /** Whether the page opens on an error message (WCAG 3.3.1). */
  readonly hasError?: boolean;
}

/** The sign-in has ended; or another tab of this browser has chosen another institution. */
export const GATEWAY_NEWS = ['ended', 'changed'] as const;
export type GatewayNews = (typeof GATEWAY_NEWS)[number];

/** A page that follows the payment; an institution's wears that one's look. */
export function gatewayPage(
  { payment, language, path, news }: GatewayPageOptions,
  title: string,
  { body, institution, hasError = false, scripts = [], ...rest }: GatewayPageParts,
): Page {
  const { text } = gatewayTexts[language];
  return {
    ...rest,
    language,
    title: hasError ? text('error.title', { title }) : title,
    notice: text('notice'),
    look: institution ? institutionLook(institution) : gatewayLook(text('brand')),
    scripts: ['live-page', ...scripts],
    body: html`<div data-live="${path}/live?seen=${payment.version}">
!${errorLine(news && text(`news.${news}`), 'error news')}!${body}</div>`,
  };
}

/** The values of the placeholders in messages. */
export function valuesOf({ payment, language }: Pick<GatewayPageOptions, 'payment' | 'language'>) {
  return {
    amount: localizedAmount(language, payment.amountCents, payment.currency),
    merchant: nameOf(merchantOf(payment)),
  };
}

/** Merchant and amount in full: the page asks for a decision, or says what came of it. */
export function askedBill(
  options: Pick<GatewayPageOptions, FactOptions>,
  facts: readonly Fact[] = orderFacts(options),
): string {
  const { amount } = valuesOf(options);
  const { payment, language } = options;
  return billPanel({ language, merchant: merchantOf(payment), amount, facts });
}

/** The title of a page whose first question is another one, with the facts folded. */
export function askedTitle(options: GatewayPageOptions): string {
  const { payment, language } = options;
  const merchant = merchantOf(payment);
  const values = { merchant: nameOf(merchant), amount: sum(valuesOf(options).amount) };
  const line = [payment.displayMessage, payment.invoiceNumber];
  return html`!${billTitle(gatewayTexts[language].rich('choose.title', values), merchant)}
!${foldedFacts({ language, merchant, facts: orderFacts(options) }, line)}`;
}

type FactOptions = 'payment' | 'language' | 'timeZone';

export function orderFacts({
  payment,
  language,
  timeZone,
}: Pick<GatewayPageOptions, FactOptions>): readonly Fact[] {
  const { text } = gatewayTexts[language];
  return [
    [text('facts.message'), payment.displayMessage],
    [text('facts.invoice'), payment.invoiceNumber],
    [text('facts.expires'), shownTime(language, payment.expiresAt, timeZone)],
  ];
}

/** A form that posts to the page's own address. */
export function form(token: string, content: string): string {
  return html`<form method="post"><input type="hidden" name="token" value="${token}">
!${content}</form>`;
}

/** Takes the focus when the page opens, so that a screen reader reads the message first. */
export function errorLine(message: string | null, kind: 'error' | 'error news' = 'error'): string {
  return message === null
    ? ''
    : html`<p class="${kind}" id="error" tabindex="-1" autofocus>${message}</p>`;
}
