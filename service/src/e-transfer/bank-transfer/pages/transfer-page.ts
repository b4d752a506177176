import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { billPanel, billTitle, type Fact, foldedFacts, sum, timeLeft } from '#http/pages/bill.ts';
import { nameOf, type ShownMerchant } from '#http/pages/merchant-heading.ts';
import { type Page, WAITING_REFRESH_SECONDS } from '#http/pages/page.ts';
import type { PageScript } from '#http/pages/scripts.ts';
import { shownTime } from '#http/pages/shown-time.ts';
import { statusIcon } from '#http/pages/status-icons.ts';
import { owedCents, type TransferRequest, type TransferStep } from '../transfer-request.ts';
import { transferFields } from './transfer-fields.ts';
import { transferLook } from './transfer-style.ts';
import { type TransferText, transferTexts } from './transfer-texts.ts';

export interface TransferPageOptions {
  readonly request: TransferRequest;
  readonly language: Language;
  /** `TIME_ZONE` */
  readonly timeZone: string;
  /** The path of the page. */
  readonly path: string;
  /** Whether there is a QR code for the transfer. */
  readonly hasQrCode: boolean;
  readonly isDemo: boolean;
}

type Step = Exclude<TransferStep, 'PAID'>;

/** The content of each step; PAID leads back to the payment link. */
const BODIES: Readonly<Record<Step, (options: TransferPageOptions) => string>> = {
  ASK: askBody,
  WAIT: waitBody,
  CHECK: checkBody,
  CLOSED: overBody('closed'),
  EXPIRED: overBody('expired'),
  CANCELLED: overBody('cancelled'),
};

const TITLES: Readonly<Record<Step, TransferText>> = {
  ASK: 'ask.title',
  WAIT: 'wait.title',
  CHECK: 'check.title',
  CLOSED: 'closed.title',
  EXPIRED: 'expired.title',
  CANCELLED: 'cancelled.title',
};

const SCRIPTS: Readonly<Record<Step, readonly PageScript[]>> = {
  ASK: ['live-page', 'copy-fields', 'shown-times'],
  WAIT: ['live-page', 'copy-fields', 'shown-times'],
  CHECK: ['live-page', 'close-window', 'shown-times'],
  CLOSED: ['live-page', 'close-window', 'shown-times'],
  EXPIRED: ['live-page', 'close-window', 'shown-times'],
  CANCELLED: ['live-page', 'close-window', 'shown-times'],
};

/** The page of a transfer: how to pay it, or how it stands (bank-transfer §2). */
export function transferPage(step: Step, options: TransferPageOptions): Page {
  const { request, language, path, isDemo } = options;
  const { text } = transferTexts[language];
  return {
    language,
    title: text(titleOf(step, request), valuesOf(options)),
    notice: isDemo ? text('notice') : undefined,
    look: transferLook(language),
    scripts: SCRIPTS[step],
    ...(step === 'WAIT' && { refreshSeconds: WAITING_REFRESH_SECONDS }),
    body: html`<div data-live="${path}/live?seen=${request.version}">
!${BODIES[step](options)}</div>`,
  };
}

function titleOf(step: Step, { receivedCents }: TransferRequest): TransferText {
  return step === 'ASK' && receivedCents > 0 ? 'rest.title' : TITLES[step];
}

function merchantOf({ merchantName, merchantProfile }: TransferRequest): ShownMerchant {
  const { displayName, logoUrl, accentColour } = merchantProfile;
  return { name: merchantName, displayName, logo: logoUrl, accentColour };
}

/** The values of the placeholders in messages. */
function valuesOf({ request, language }: TransferPageOptions) {
  const shown = (cents: number) => localizedAmount(language, cents, request.currency);
  return {
    amount: shown(request.amountCents),
    received: shown(request.receivedCents),
    owed: shown(owedCents(request)),
    merchant: nameOf(merchantOf(request)),
  };
}

function askBody(options: TransferPageOptions): string {
  const { language, path, request } = options;
  const { text } = transferTexts[language];
  const values = valuesOf(options);
  const { displayMessage, invoiceNumber } = request;
  const merchant = merchantOf(request);
  return html`!${billTitle(sumTitle(options, titleOf('ASK', request)), merchant)}
!${foldedFacts({ language, merchant, facts: factsOf(options) }, [displayMessage, invoiceNumber])}
<p class="lead">${text('ask.lead')}</p>!${timeLeft(language, request.expiresInMs)}
!${partLine(options, text('received.rest', values))}!${waysToPay(options)}
<form class="sent" method="post" action="${path}/sent">
<button class="button">${text('sent.button')}</button>
<p class="small">${text('sent.text')}</p></form>!${checkAgain(options)}`;
}

function waitBody(options: TransferPageOptions): string {
  const { language, request } = options;
  const { text } = transferTexts[language];
  const values = valuesOf(options);
  const lead = text(request.announcedAt ? 'wait.announced' : 'wait.lead', values);
  return html`<div class="columns"><div>!${statusIcon('wait')}
<h1>${text('wait.title', values)}</h1>
<p class="lead">${lead}</p>!${timeLeft(language, request.expiresInMs)}
!${partLine(options)}
<p>${text('rule.time')} ${text('wait.next')}</p>
!${wayBack(options)}!${checkAgain(options)}</div>!${panel(options)}</div>
<details class="again"><summary>${text('wait.details')}</summary>!${waysToPay(options)}</details>`;
}

/** The title with its amounts large, as HTML. */
function sumTitle(options: TransferPageOptions, title: TransferText): string {
  const values = valuesOf(options);
  const sums = { amount: sum(values.amount), owed: sum(values.owed) };
  return transferTexts[options.language].rich(title, { ...values, ...sums });
}

function checkBody(options: TransferPageOptions): string {
  const { text } = transferTexts[options.language];
  const values = valuesOf(options);
  return html`<div class="columns"><div>!${statusIcon('wait')}
<h1>${text('check.title', values)}</h1>
<p class="lead stop">${text('check.lead', values)}</p><p>${text('check.next', values)}</p>
!${wayBack(options)}!${checkAgain(options)}</div>!${panel(options)}</div>`;
}

/** Shows no account: money to it would come back, or would need a person. */
function overBody(state: 'expired' | 'cancelled' | 'closed') {
  return (options: TransferPageOptions): string => {
    const { language, request, timeZone } = options;
    const { text, rich } = transferTexts[language];
    const values = valuesOf(options);
    const expiresAt = shownTime(language, request.expiresAt, timeZone);
    const sent = state === 'closed' ? 'closed.sent' : 'over.sent';
    const next = request.receivedCents > 0 ? 'over.part' : sent;
    return html`<div class="columns"><div>!${statusIcon('neutral')}
<h1>${text(`${state}.title`)}</h1>
<p class="lead stop">!${rich(`${state}.lead`, { ...values, expiresAt })}</p>
<p>${text(next, values)}</p>!${wayBack(options)}</div>!${panel(options)}</div>`;
  };
}

/** The sum that has arrived of a payment in parts. */
function partLine(options: TransferPageOptions, next = ''): string {
  const { request, language } = options;
  if (request.receivedCents === 0) return '';
  const received = transferTexts[language].text('received', valuesOf(options));
  return html`<div class="part"><strong>${received}</strong>
<progress max="${request.amountCents}" value="${request.receivedCents}" aria-label="${received}"
></progress>!${next && html`<p>${next}</p>`}</div>`;
}

/** The QR code and the fields to copy, with what the payer must know of both. */
function waysToPay(options: TransferPageOptions): string {
  const { request, language, path, hasQrCode } = options;
  const { text, rich } = transferTexts[language];
  const image = `${path}/qr.svg?version=${request.version}`;
  const scan = html`<div class="scan way"><h2 class="seen">${text('qr.title')}</h2>
<img class="code" src="${image}" alt="${text('qr.alt')}" width="256" height="256">
<p class="small seen">${text('qr.text')}</p>
<p class="save"><a href="${path}/qr.png" download="transfer.png">${text('qr.save')}</a><br>
<span class="small">${text('qr.saved')}</span></p></div>`;
  return html`<div class="ways ${hasQrCode ? 'both' : ''}">
<div class="way">!${transferFields(request, language)}
<ul class="rules"><li>!${rich('rule.reference')}</li><li>${text('rule.time')}</li></ul></div>
!${hasQrCode ? scan : ''}</div>`;
}

function panel(options: TransferPageOptions): string {
  const { request, language } = options;
  const { amount } = valuesOf(options);
  return billPanel({ language, merchant: merchantOf(request), amount, facts: factsOf(options) });
}

const isOpen = ({ state, isExpired, isAccountClosed }: TransferRequest): boolean =>
  state === 'OPEN' && !isExpired && !isAccountClosed;

function factsOf({ request, language, timeZone }: TransferPageOptions): readonly Fact[] {
  const { text } = transferTexts[language];
  const { displayMessage, invoiceNumber, expiresAt } = request;
  return [
    [text('facts.message'), displayMessage],
    [text('facts.invoice'), invoiceNumber],
    [text('facts.expires'), isOpen(request) ? shownTime(language, expiresAt, timeZone) : null],
  ];
}

function wayBack(options: TransferPageOptions): string {
  const { merchantReturnUrl } = options.request;
  if (merchantReturnUrl === null) return '';
  const label = transferTexts[options.language].text('merchant.back', valuesOf(options));
  return html`<p class="actions"><a class="button quiet" href="${merchantReturnUrl}"
 rel="noreferrer">${label}</a></p>`;
}

/** Without script the page does not follow by itself. */
function checkAgain({ language, path }: TransferPageOptions): string {
  const label = transferTexts[language].text('live.again');
  return html`<noscript><p class="actions"><a class="button quiet" href="${path}">${label}</a></p>
</noscript>`;
}
