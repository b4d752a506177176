import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { merchantHeading, nameOf, type ShownMerchant } from '#http/pages/merchant-heading.ts';
import type { Page } from '#http/pages/page.ts';
import { shownValue } from '#http/pages/shown-text.ts';
import { shownTime } from '#http/pages/shown-time.ts';
import type { Html } from '#http/pages/texts.ts';
import type { GatewayPayment } from '../gateway-payment.ts';
import type { Institution } from '../institutions.ts';
import { gatewayLook, institutionLook } from './gateway-style.ts';
import { type GatewayText, gatewayTexts } from './gateway-texts.ts';

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
!${news ? errorLine('news', text(`news.${news}`)) : ''}!${body}</div>`,
  };
}

function merchantOf({ merchantName, merchantProfile }: GatewayPayment): ShownMerchant {
  const { displayName, logoUrl, accentColour } = merchantProfile;
  return { name: merchantName, displayName, logo: logoUrl, accentColour };
}

/** Logo and names of the merchant, above the heading of a page that asks for money. */
export function merchantOfPage({
  payment,
  language,
}: Pick<GatewayPageOptions, 'payment' | 'language'>): string {
  return merchantHeading(merchantOf(payment), gatewayTexts[language].text('merchant.registered'));
}

/** The values of the placeholders in messages. */
export function valuesOf({ payment, language }: Pick<GatewayPageOptions, 'payment' | 'language'>) {
  return {
    amount: localizedAmount(language, payment.amountCents, payment.currency),
    merchant: nameOf(merchantOf(payment)),
  };
}

/** The facts of the payment request, in full: the page asks for a decision. */
export function askedFacts(options: Pick<GatewayPageOptions, FactOptions>): string {
  const { amount, merchant } = valuesOf(options);
  const { text } = gatewayTexts[options.language];
  return html`<dl class="asked"><dt>${text('facts.amount')}</dt><dd class="sum">${amount}</dd>
!${factRows(options, [['facts.merchant', merchant], ...orderFacts(options)])}</dl>
!${timeLeft(options)}`;
}

/** The facts that the page's heading leaves out. */
export function briefFacts(options: Pick<GatewayPageOptions, FactOptions>): string {
  return html`<dl class="brief">!${factRows(options, orderFacts(options))}</dl>
!${timeLeft(options)}`;
}

type FactOptions = 'payment' | 'language' | 'timeZone';
type Fact = readonly [GatewayText, string | Html | null];

function orderFacts({
  payment,
  language,
  timeZone,
}: Pick<GatewayPageOptions, FactOptions>): readonly Fact[] {
  return [
    ['facts.message', payment.displayMessage],
    ['facts.invoice', payment.invoiceNumber],
    ['facts.expires', shownTime(language, payment.expiresAt, timeZone)],
  ];
}

function factRows({ language }: { readonly language: Language }, facts: readonly Fact[]): string {
  const { text } = gatewayTexts[language];
  const rows = facts.flatMap(([name, value]) =>
    value === null ? [] : html`<dt>${text(name)}</dt><dd><bdi>!${shownValue(value)}</bdi></dd>`,
  );
  return rows.join('\n');
}

/** The script `shown-times` fills it in the last ten minutes: a payer must not be surprised. */
function timeLeft({ payment, language }: Pick<GatewayPageOptions, FactOptions>): string {
  const { text } = gatewayTexts[language];
  return html`<p class="left" role="status" data-left="${payment.expiresInMs}"
 data-minutes="${text('expiry.minutes')}" data-last="${text('expiry.last')}"></p>`;
}

/** A form that posts to the page's own address. */
export function form(token: string, content: string): string {
  return html`<form method="post"><input type="hidden" name="token" value="${token}">
!${content}</form>`;
}

/** Takes the focus when the page opens, so that a screen reader reads the message first. */
export function errorLine(id: string, message: string | null): string {
  return message === null
    ? ''
    : html`<p class="error" id="${id}" tabindex="-1" autofocus>${message}</p>`;
}
