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
import type { Viewer } from '#payment-requests/payer-link/viewer.ts';
import { PAYMENT_STATE_TEXTS, type PaymentStateText } from './payment-state-texts.ts';
import { wordsFor } from './payment-state-words.ts';

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
  readonly viewer: Viewer;
  /** The payer comes back from the network. */
  readonly hasReturned: boolean;
}

/**
 * How a payment request stands: whether money was taken, what now, and the reference
 * (journey §1).
 */
export function paymentStatePage(options: PaymentStatePageOptions): Page {
  const { state, paymentRequest, language, path, timeZone, viewer } = options;
  const { text, rich } = texts[language];
  const { title, lead, next, mark, isLive } = wordsFor(state, viewer);
  const values = valuesOf(options);
  const { id, version } = paymentRequest;
  const expiresAt = shownTime(language, paymentRequest.expiresAt, timeZone);
  const live = isLive ? html` data-live="${livePath(path)}/${id}?seen=${version}"` : '';
  return {
    language,
    title: text(title, values),
    notice: options.simulatedNetwork ? text('simulated.notice') : undefined,
    scripts: [...(isLive ? (['live-page'] as const) : []), 'close-window', 'shown-times'],
    ...(options.hasReturned && { query: keptQuery(viewer) }),
    body: html`<div!${live}>!${statusIcon(mark)}<h1>${text(title, values)}</h1>
<p class="lead">!${rich(lead, { ...values, expiresAt })}</p>
!${reasonOf(options, values)}
<p>${text(next, values)} ${text('close.text')}</p></div>
!${factsOf(options)}
!${isLive ? checkAgain(options) : ''}!${actionsOf(options)}`,
  };
}

/** The words hang on these parameters, also in another language. */
function keptQuery(viewer: Viewer): string {
  return viewer === 'OTHER_DEVICE' ? 'returned=1&elsewhere=1' : 'returned=1';
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
  { state, paymentRequest, language, viewer }: PaymentStatePageOptions,
  values: ReturnType<typeof valuesOf>,
): string {
  // A payer's account is no matter of others who have the link.
  if (state !== 'FAILED' || paymentRequest.statusReason === null || viewer !== 'PAYER') return '';
  // Only refusals make FAILED (model/statuses.ts).
  const code = paymentRequest.statusReason.code as Exclude<RefusalReasonCode, 'PAYER_DECLINED'>;
  return html`<p>${texts[language].text(`failed.${code}`, values)}</p>`;
}

/** The request and its outcome, to keep and to print. */
function factsOf(options: PaymentStatePageOptions): string {
  const { paymentRequest: p, language, timeZone, viewer } = options;
  const { amount, merchant } = valuesOf(options);
  const own = viewer === 'PAYER' ? p.payment : null;
  const facts: readonly (readonly [PaymentStateText, string | Html | null])[] = [
    ['facts.amount', amount],
    ['facts.merchant', merchant],
    ['facts.message', p.displayMessage],
    ['facts.invoice', p.invoiceNumber],
    ['facts.institution', own?.institution ?? null],
    ['facts.paidAt', p.payment && shownTime(language, p.payment.completedAt, timeZone)],
    // A single kind on every page: the list's filter finds it (contract §4, List).
    ['facts.reference', p.shortCode],
    ['facts.networkReference', own?.networkReference ?? null],
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

/** Without script the page does not follow by itself. */
function checkAgain({ state, language, path }: PaymentStatePageOptions): string {
  const query = state === 'WAITING' ? '?returned=1' : '';
  const label = texts[language].text('live.again');
  return html`<noscript><p class="actions">
<a class="button quiet" href="${path}${query}">${label}</a></p></noscript>`;
}

function link(path: string, label: string): string {
  return html`<p class="actions"><a class="button" href="${path}">${label}</a></p>`;
}
