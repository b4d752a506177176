import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import type { Page } from '#http/pages/page.ts';
import { shownText, shownValue } from '#http/pages/shown-text.ts';
import { shownTime } from '#http/pages/shown-time.ts';
import { statusIcon } from '#http/pages/status-icons.ts';
import { compileTexts, type Html } from '#http/pages/texts.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { RefusalReasonCode } from '#payment-requests/model/statuses.ts';
import type { PaymentLinkState } from '#payment-requests/payer-link/link-state.ts';
import {
  PAYMENT_STATE_TEXTS,
  PAYMENT_STATE_WORDS,
  type PaymentStateText,
} from './payment-state-texts.ts';

const texts = compileTexts(PAYMENT_STATE_TEXTS);

export interface PaymentStatePageOptions {
  readonly state: PaymentLinkState;
  readonly paymentRequest: PaymentRequest;
  readonly language: Language;
  readonly currency: string;
  readonly simulatedNetwork: boolean;
  /** `TIME_ZONE` */
  readonly timeZone: string;
  /** The path of the payment link. */
  readonly path: string;
}

/**
 * How a payment request stands: whether money was taken, what now, and the reference
 * (journey §1).
 */
export function paymentStatePage(options: PaymentStatePageOptions): Page {
  const { state, paymentRequest, language, path, timeZone } = options;
  const { text, rich } = texts[language];
  const { title, lead, next, mark, isLive } = PAYMENT_STATE_WORDS[state];
  const values = valuesOf(options);
  const { id, version } = paymentRequest;
  const expiresAt = shownTime(language, paymentRequest.expiresAt, timeZone);
  const live = isLive ? html` data-live="${livePath(path)}/${id}?seen=${version}"` : '';
  return {
    language,
    title: text(title, values),
    notice: options.simulatedNetwork ? text('simulated.notice') : undefined,
    scripts: [...(isLive ? (['live-page'] as const) : []), 'close-window', 'shown-times'],
    ...(state === 'WAITING' && { query: 'returned=1' }),
    body: html`<div!${live}>!${statusIcon(mark)}<h1>${text(title, values)}</h1>
<p class="lead">!${rich(lead, { ...values, expiresAt })}</p>
!${reasonOf(options, values)}
<p>${text(next, values)} ${text('close.text')}</p></div>
!${factsOf(options)}
!${actionsOf(options)}`,
  };
}

/** Beside the links: `/pay/live` for `/pay/{shortCode}`. */
function livePath(path: string): string {
  return `${path.slice(0, path.lastIndexOf('/'))}/live`;
}

function valuesOf({ paymentRequest, language, currency }: PaymentStatePageOptions) {
  const { amountCents, merchant, payment } = paymentRequest;
  return {
    amount: localizedAmount(language, amountCents, currency),
    merchant: shownText(merchant.name),
    institution: shownText(payment?.institution ?? ''),
  };
}

function reasonOf(
  { state, paymentRequest, language }: PaymentStatePageOptions,
  values: ReturnType<typeof valuesOf>,
): string {
  if (state !== 'FAILED' || paymentRequest.statusReason === null) return '';
  // Only refusals make FAILED (model/statuses.ts).
  const code = paymentRequest.statusReason.code as RefusalReasonCode;
  return html`<p>${texts[language].text(`failed.${code}`, values)}</p>`;
}

/** The request and its outcome, to keep and to print. */
function factsOf(options: PaymentStatePageOptions): string {
  const { paymentRequest: p, language, timeZone } = options;
  const { amount, merchant } = valuesOf(options);
  const facts: readonly (readonly [PaymentStateText, string | Html | null])[] = [
    ['facts.amount', amount],
    ['facts.merchant', merchant],
    ['facts.message', p.displayMessage],
    ['facts.invoice', p.invoiceNumber],
    ['facts.institution', p.payment?.institution ?? null],
    ['facts.paidAt', p.payment && shownTime(language, p.payment.completedAt, timeZone)],
    ['facts.reference', p.payment?.networkReference ?? p.id],
  ];
  const { text } = texts[language];
  const rows = facts.flatMap(([name, value]) =>
    value === null ? [] : html`<dt>${text(name)}</dt><dd><bdi>!${shownValue(value)}</bdi></dd>`,
  );
  return html`<dl class="facts">!${rows.join('\n')}</dl>`;
}

function actionsOf({ state, language, path }: PaymentStatePageOptions): string {
  const { text } = texts[language];
  if (state === 'OPEN' || state === 'SUSPENDED') return link(path, text('networkAway.again'));
  if (state === 'WAITING') return link(path, text('waiting.continue'));
  return html`<p class="actions">
<button class="button" type="button" data-close hidden>${text('close.button')}</button>
<button class="button quiet" type="button" data-print hidden>${text('close.print')}</button></p>`;
}

function link(path: string, label: string): string {
  return html`<p class="actions"><a class="button" href="${path}">${label}</a></p>`;
}
