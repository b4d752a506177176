import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { merchantHeading, nameOf, type ShownMerchant } from '#http/pages/merchant-heading.ts';
import { type Page, WAITING_REFRESH_SECONDS } from '#http/pages/page.ts';
import { shownText, shownValue } from '#http/pages/shown-text.ts';
import { shownTime } from '#http/pages/shown-time.ts';
import { statusIcon } from '#http/pages/status-icons.ts';
import type { Html } from '#http/pages/texts.ts';
import { cellMark } from '#lib/cells/cell-mark.ts';
import { logoPath, type MerchantProfile } from '#merchants/profile/profile.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { RefusalReasonCode } from '#payment-requests/model/statuses.ts';
import type { PaymentLinkState } from '#payment-requests/payer-link/link-state.ts';
import type { Viewer } from '#payment-requests/payer-link/viewer.ts';
import { merchantContact } from './merchant-contact.ts';
import { PAYMENT_STATE_TEXTS, type PaymentStateText } from './payment-state-texts.ts';
import { wordsFor } from './payment-state-words.ts';

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
  const { id, version } = paymentRequest;
  const expiresAt = shownTime(language, paymentRequest.expiresAt, timeZone);
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
    ...(isWaiting(state) && { refreshSeconds: WAITING_REFRESH_SECONDS }),
    ...(options.hasReturned && { query: keptQuery(viewer) }),
    body: html`!${merchantHeading(merchantOf(options), text('merchant.registered'))}
<div!${live}>!${statusIcon(mark)}<h1>${text(title, values)}</h1>
<p class="lead">!${rich(lead, { ...values, expiresAt })}</p>
!${reasonOf(options, values)}
<p>${text(next, values)} ${paymentRequest.returnUrl ? '' : text('close.text')}</p></div>
!${wayBack(options)}!${factsOf(options)}
!${isLive ? checkAgain(options) : ''}!${actionsOf(options)}
!${contactOf(options)}`,
  };
}

const isWaiting = (state: PaymentLinkState): boolean =>
  state === 'WAITING' || state === 'PROCESSING';

/** The words hang on these parameters, also in another language. */
function keptQuery(viewer: Viewer): string {
  return viewer === 'OTHER_DEVICE' ? 'returned=1&elsewhere=1' : 'returned=1';
}

/** Beside the links: `/pay/live` for `/pay/{shortCode}`. */
function livePath(path: string): string {
  return `${path.slice(0, path.lastIndexOf('/'))}/live`;
}

function merchantOf({ paymentRequest, profile, cell }: PaymentStatePageOptions): ShownMerchant {
  const { displayName, logoHash, accentColour } = profile;
  const logo = logoHash && logoPath(cellMark(cell) + logoHash);
  return { name: paymentRequest.merchant.name, displayName, logo, accentColour };
}

/** Not while the network is away: the page of the payment has not been seen yet. */
function contactOf(options: PaymentStatePageOptions): string {
  const { state, language, profile, paymentRequest } = options;
  if (state === 'OPEN') return '';
  const { merchant } = valuesOf(options);
  const isPaid = paymentRequest.payment !== null || state === 'PROCESSING';
  return merchantContact({ language, merchant, profile, isPaid });
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
  return html`<p>${PAYMENT_STATE_TEXTS[language].text(`failed.${code}`, values)}</p>`;
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
  const { text } = PAYMENT_STATE_TEXTS[language];
  const rows = facts.flatMap(([name, value]) => {
    if (value === null) return [];
    const label = text(name, { merchant });
    const isCopied = name === 'facts.reference' || name === 'facts.networkReference';
    const shown = html`<bdi id="${name}">!${shownValue(value)}</bdi>`;
    const button = html`<button class="copy" type="button" data-copy="${name}" value="${label}"
 aria-label="${text('copy.named', { label })}" hidden>${text('copy')}</button>`;
    return html`<dt>${label}</dt><dd>!${shown}!${isCopied ? button : ''}</dd>`;
  });
  return html`<dl class="facts">!${rows.join('\n')}</dl><p class="told" role="status"
 data-copied="${text('copy.done')}" data-marked="${text('copy.marked')}"></p>`;
}

/** The link of a page on which the payer can still pay. */
const AGAIN: Partial<Readonly<Record<PaymentLinkState, PaymentStateText>>> = {
  OPEN: 'networkAway.again',
  SUSPENDED: 'networkAway.again',
  WAITING: 'waiting.continue',
};

/**
 * The ways out stand before the facts: in the payment window the facts fill the rest of the screen.
 * A payer who can still pay finds the link beside that action.
 */
function wayBack(options: PaymentStatePageOptions): string {
  const { state, language } = options;
  if (AGAIN[state]) return '';
  const label = PAYMENT_STATE_TEXTS[language].text('close.button');
  return html`<p class="actions"><button class="button" type="button" data-close hidden
>${label}</button>!${backLink(options, '')}</p>`;
}

function backLink(options: PaymentStatePageOptions, kind: 'quiet' | ''): string {
  const label = PAYMENT_STATE_TEXTS[options.language].text('merchant.back', valuesOf(options));
  const url = options.paymentRequest.returnUrl;
  return url ? html`<a class="button ${kind}" href="${url}" rel="noreferrer">${label}</a>` : '';
}

function actionsOf(options: PaymentStatePageOptions): string {
  const { state, language, path, paymentRequest } = options;
  const { text } = PAYMENT_STATE_TEXTS[language];
  const again = AGAIN[state];
  if (again) {
    return html`<p class="actions"><a class="button" href="${path}">${text(again)}</a>
!${backLink(options, 'quiet')}</p>`;
  }
  // Only money is worth a record on paper.
  if (!paymentRequest.payment) return '';
  return html`<p class="actions">
<button class="button quiet" type="button" data-print hidden>${text('close.print')}</button></p>`;
}

/** Without script the page does not follow by itself. */
function checkAgain({ state, language, path }: PaymentStatePageOptions): string {
  const query = state === 'WAITING' ? '?returned=1' : '';
  const label = PAYMENT_STATE_TEXTS[language].text('live.again');
  return html`<noscript><p class="actions">
<a class="button quiet" href="${path}${query}">${label}</a></p></noscript>`;
}
