import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { backLink, billPanel, copiedFact, copyStatus, type Fact, sum } from '#http/pages/bill.ts';
import { merchantContact, REFERENCE_ID } from '#http/pages/merchant-contact.ts';
import { nameOf, type ShownMerchant } from '#http/pages/merchant-heading.ts';
import { type Page, WAITING_REFRESH_SECONDS } from '#http/pages/page.ts';
import { shownText } from '#http/pages/shown-text.ts';
import { shownTime } from '#http/pages/shown-time.ts';
import { statusIcon } from '#http/pages/status-icons.ts';
import { cellMark } from '#lib/cells/cell-mark.ts';
import { logoPath, type MerchantProfile } from '#merchants/profile/profile.ts';
import { knownEmail, maskedAddress } from '#payment-requests/model/messages/email-address.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { hasPayment, type RefusalReasonCode } from '#payment-requests/model/statuses.ts';
import type { PaymentLinkState } from '#payment-requests/payer-link/link-state.ts';
import type { Viewer } from '#payment-requests/payer-link/viewer.ts';
import { PAYMENT_STATE_TEXTS, type PaymentStateText, wordsFor } from './payment-state-words.ts';

export interface PaymentStatePageOptions {
  readonly state: PaymentLinkState;
  readonly paymentRequest: PaymentRequest;
  readonly language: Language;
  readonly currency: string;
  readonly simulatedNetwork: boolean;
  /** `TIME_ZONE` */
  readonly timeZone: string;
  /** `CELL` */
  readonly cell: number;
  /** The path of the payment link. */
  readonly path: string;
  readonly viewer: Viewer;
  readonly profile: MerchantProfile;
  /** The payer comes back from the network. */
  readonly hasReturned: boolean;
  /** Whether a payer may ask for a receipt by e-mail. */
  readonly sendsReceipts: boolean;
  readonly hasAskedReceipt: boolean;
}

/**
 * How a payment request stands: whether money was taken, what now, and the reference
 * (journey §1).
 */
export function paymentStatePage(options: PaymentStatePageOptions): Page {
  const { state, paymentRequest, language, path, timeZone, viewer, cell } = options;
  const { text, rich } = PAYMENT_STATE_TEXTS[language];
  const { title, lead, next, mark, isLive } = wordsFor(state, viewer);
  const values = valuesOf(options);
  const { id, version, payment } = paymentRequest;
  const canClose = !paymentRequest.returnUrl && AGAIN[state] === undefined;
  const expiresAt = shownTime(language, paymentRequest.expiresAt, timeZone);
  const date = payment ? shownTime(language, payment.completedAt, timeZone) : '';
  const live = isLive
    ? html` data-live="${livePath(path)}/${cellMark(cell)}${id}?seen=${version}"`
    : '';
  return {
    language,
    title: text(title, values),
    notice: options.simulatedNetwork ? text('simulated.notice') : undefined,
    scripts: [
      ...(isLive ? (['live-page'] as const) : []),
      'close-window',
      'copy-fields',
      'shown-times',
    ],
    ...((state === 'WAITING' || state === 'PROCESSING') && {
      refreshSeconds: WAITING_REFRESH_SECONDS,
    }),
    ...(options.hasReturned && { query: keptQuery(viewer) }),
    body: html`<div class="columns"><div!${live}>!${statusIcon(mark)}
<h1>!${rich(title, { ...values, amount: sum(values.amount) })}</h1>
<p class="lead">!${rich(lead, { ...values, expiresAt, date })} ${reasonOf(options, values)}</p>
<p class="lines">!${rich(next, values)} ${canClose ? text('close.text') : ''}</p>
!${actionsOf(options)}!${isLive && state !== 'WAITING' ? checkAgain(options) : ''}</div>
<div class="receipt">!${receiptOf(options)}</div>!${contactOf(options)}</div>`,
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

function merchantOf({ paymentRequest, profile, cell }: PaymentStatePageOptions): ShownMerchant {
  const logoUrl = profile.logoHash && logoPath(cellMark(cell) + profile.logoHash);
  return { name: paymentRequest.merchant.name, ...profile, logoUrl };
}

/** Not while the network is away: the page of the payment has not been seen yet. */
function contactOf(options: PaymentStatePageOptions): string {
  const { state, language, paymentRequest } = options;
  if (state === 'OPEN') return '';
  const isPaid = paymentRequest.payment !== null || state === 'PROCESSING';
  return merchantContact(language, merchantOf(options), isPaid);
}

function valuesOf(options: PaymentStatePageOptions) {
  const { paymentRequest, language, currency } = options;
  const { amountCents, payment } = paymentRequest;
  return {
    amount: localizedAmount(language, amountCents, currency),
    merchant: nameOf(merchantOf(options)),
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
  return PAYMENT_STATE_TEXTS[language].text(`failed.${code}`, values);
}

/** The request and its outcome, to keep and to print. */
function receiptOf(options: PaymentStatePageOptions): string {
  const { paymentRequest: p, language, timeZone, viewer } = options;
  const { text } = PAYMENT_STATE_TEXTS[language];
  const own = viewer === 'PAYER' ? p.payment : null;
  const copied = (id: typeof REFERENCE_ID | 'facts.networkReference', value: string) =>
    copiedFact(language, { id, label: text(id), value });
  const facts: readonly Fact[] = [
    [text('facts.message'), p.displayMessage],
    [text('facts.invoice'), p.invoiceNumber],
    [text('facts.institution'), own?.institution ?? null],
    [text('facts.paidAt'), p.payment && shownTime(language, p.payment.completedAt, timeZone)],
    // A single kind on every page: the list's filter finds it (contract §4, List).
    copied(REFERENCE_ID, p.shortCode),
    ...(own ? [copied('facts.networkReference', own.networkReference)] : []),
  ];
  const { amount } = valuesOf(options);
  // Only money is worth a record on paper.
  const print = html`<p class="actions"><button class="link" type="button" data-print hidden
>${text('close.print')}</button></p>`;
  return html`!${billPanel({ language, merchant: merchantOf(options), amount, facts })}
!${copyStatus(language)}!${p.payment ? print : ''}!${mailedReceiptOf(options)}`;
}

/** Everyone with the link may see the page: it names the address by its first letter. */
function mailedReceiptOf(options: PaymentStatePageOptions): string {
  const { paymentRequest, language, path, sendsReceipts, hasAskedReceipt } = options;
  const known = knownEmail(paymentRequest);
  if (!sendsReceipts || !hasPayment(paymentRequest.status) || known === null) return '';
  const { text } = PAYMENT_STATE_TEXTS[language];
  const address = shownText(maskedAddress(known));
  if (hasAskedReceipt || paymentRequest.messagePlan?.receipt) {
    return html`<p role="status">${text('receipt.asked', { address })}</p>`;
  }
  return html`<form class="actions" method="post" action="${path}/receipt">
<button class="link" aria-describedby="receipt-to">${text('receipt.button')}</button>
<span id="receipt-to">${text('receipt.to', { address })}</span></form>`;
}

/** The link of a page on which the payer can still pay. */
const AGAIN: Partial<Readonly<Record<PaymentLinkState, PaymentStateText>>> = {
  OPEN: 'networkAway.again',
  SUSPENDED: 'networkAway.again',
  WAITING: 'waiting.continue',
};

/** The ways out stand before the facts: in the payment window these fill the rest of the screen. */
function actionsOf(options: PaymentStatePageOptions): string {
  const { state, language, path, paymentRequest } = options;
  const { text } = PAYMENT_STATE_TEXTS[language];
  const again = AGAIN[state];
  // A payer who may have paid is not urged to pay again.
  const isUnsure = state === 'WAITING';
  const first = again
    ? html`!${isUnsure ? checkLink(options, '') : ''}
<a class="button !${state === 'OPEN' ? '' : 'quiet'}" href="${path}">${text(again)}</a>`
    : html`<button class="button" type="button" data-close hidden>${text('close.button')}</button>`;
  const { merchant } = valuesOf(options);
  const back = backLink(language, paymentRequest.returnUrl, merchant, again ? 'quiet' : '');
  return html`<p class="actions">!${first}!${back}</p>`;
}

/** Without script the page does not follow by itself. */
const checkAgain = (options: PaymentStatePageOptions): string =>
  html`<noscript><p class="actions">!${checkLink(options, 'quiet')}</p></noscript>`;

function checkLink({ state, language, path }: PaymentStatePageOptions, kind: 'quiet' | ''): string {
  const query = state === 'WAITING' ? '?returned=1' : '';
  const label = PAYMENT_STATE_TEXTS[language].text('live.again');
  return html`<a class="button ${kind}" href="${path}${query}">${label}</a>`;
}
