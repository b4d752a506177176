import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import {
  backLink,
  billPanel,
  billTitle,
  copiedFact,
  copyStatus,
  type Fact,
  foldedFacts,
  sum,
  timeLeft,
} from '#http/pages/bill.ts';
import { merchantContact, REFERENCE_ID } from '#http/pages/merchant-contact.ts';
import { merchantOf, nameOf } from '#http/pages/merchant-heading.ts';
import { type Page, WAITING_REFRESH_SECONDS } from '#http/pages/page.ts';
import { shownTime } from '#http/pages/shown-time.ts';
import { statusIcon } from '#http/pages/status-icons.ts';
import { owedCents, type TransferRequest, type TransferStep } from '../transfer-request.ts';
import { etransferFields, transferFields } from './transfer-fields.ts';
import { type TransferText, transferLook, transferTexts } from './transfer-style.ts';

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
type MakeBody = (options: TransferPageOptions) => string;

/** Title and content of each step; PAID leads back to the payment link. */
const STEPS: Readonly<Record<Step, readonly [title: TransferText, body: MakeBody]>> = {
  ASK: ['ask.title', askBody],
  WAIT: ['wait.title', waitBody],
  CHECK: ['check.title', checkBody],
  CLOSED: ['closed.title', overBody('closed')],
  EXPIRED: ['expired.title', overBody('expired')],
  CANCELLED: ['cancelled.title', overBody('cancelled')],
};

/** The page of a transfer: how to pay it, or how it stands (bank-transfer §2). */
export function transferPage(step: Step, options: TransferPageOptions): Page {
  const { request, language, path, isDemo } = options;
  const { text } = transferTexts[language];
  const [, body] = STEPS[step];
  return {
    language,
    title: text(titleOf(step, request), valuesOf(options)),
    notice: isDemo ? text('notice') : undefined,
    look: transferLook(language),
    scripts: ['live-page', 'copy-fields', 'shown-times'],
    ...(step === 'WAIT' && { refreshSeconds: WAITING_REFRESH_SECONDS }),
    body: html`<div data-live="${path}/live?seen=${request.version}">!${body(options)}</div>`,
  };
}

function titleOf(step: Step, { receivedCents }: TransferRequest): TransferText {
  return step === 'ASK' && receivedCents > 0 ? 'rest.title' : STEPS[step][0];
}

/** The values of the placeholders in messages. */
function valuesOf({ request, language }: Pick<TransferPageOptions, 'request' | 'language'>) {
  const shown = (cents: number) => localizedAmount(language, cents, request.currency);
  const { amountCents, receivedCents } = request;
  return {
    amount: shown(amountCents),
    received: shown(receivedCents),
    owed: shown(owedCents(request)),
    over: receivedCents > amountCents ? shown(receivedCents - amountCents) : '',
    merchant: nameOf(merchantOf(request)),
  };
}

function askBody(options: TransferPageOptions): string {
  const { language, path, request, timeZone } = options;
  const { text, rich } = transferTexts[language];
  const { displayMessage, invoiceNumber, expiresAt } = request;
  const merchant = merchantOf(request);
  const until = html`<p class="until">${text('facts.expires')}
<strong>!${shownTime(language, expiresAt, timeZone).html}</strong></p>`;
  const sent = html`<form class="sent" method="post" action="${path}/sent">
<button class="button">${text('sent.button')}</button>
<p class="small">${text('sent.text')}</p></form>!${checkAgain(options)}`;
  const values = valuesOf(options);
  const sums = {
    amount: sum(values.amount),
    owed: sum(values.owed),
    merchant: nameOf(merchant),
  };
  return html`!${billTitle(rich(titleOf('ASK', request), sums), merchant, until)}
!${foldedFacts({ language, merchant, facts: orderFacts(options) }, [displayMessage, invoiceNumber])}
!${partLine(options, text('received.rest', values))}
<p class="lead">${text('ask.lead')}</p>!${timeLeft(language, request.expiresInMs)}
!${waysToPay(options, sent)}`;
}

function waitBody(options: TransferPageOptions): string {
  const { language, request, timeZone } = options;
  const { text } = transferTexts[language];
  const values = valuesOf(options);
  const lead = text(request.announcedAt ? 'wait.announced' : 'wait.lead', values);
  const until = shownTime(language, request.expiresAt, timeZone);
  const main = html`!${statusIcon('wait')}<h1>${text('wait.title', values)}</h1>
<p class="lead">${lead}</p><ol class="steps"><li>${text('steps.sent')}</li>
<li aria-current="step">${text('steps.arrives')}</li><li>${text('steps.told', values)}</li></ol>
!${timeLeft(language, request.expiresInMs)}!${partLine(options)}
<p>${text('rule.time')} ${text('wait.next')}</p>!${wayBack(options)}!${checkAgain(options)}`;
  return html`!${columns(options, main, [[text('facts.expires'), until]])}
<details class="again"><summary>${text('wait.details')}</summary>!${waysToPay(options)}</details>`;
}

function checkBody(options: TransferPageOptions): string {
  const { text } = transferTexts[options.language];
  const values = valuesOf(options);
  const over = values.over && html`<p>${text('check.over', values)}</p>`;
  const main = html`!${statusIcon('wait')}<h1>${text('check.title', values)}</h1>
<p class="lead stop">${text('check.lead', values)}</p>!${over}
<p>${text('check.next')}</p>!${wayBack(options)}!${checkAgain(options)}`;
  return columns(options, main, [
    [text('facts.arrived'), values.received],
    [text('facts.over'), values.over || null],
  ]);
}

/** Shows no account: money to it would come back, or would need a person. */
function overBody(state: 'expired' | 'cancelled' | 'closed'): MakeBody {
  return (options) => {
    const { language, request, timeZone } = options;
    const { text, rich } = transferTexts[language];
    const values = valuesOf(options);
    const expiresAt = shownTime(language, request.expiresAt, timeZone);
    const sent = state === 'closed' ? 'closed.sent' : 'over.sent';
    const next = request.receivedCents > 0 ? 'over.part' : sent;
    const main = html`!${statusIcon('neutral')}<h1>${text(`${state}.title`)}</h1>
<p class="lead stop">!${rich(`${state}.lead`, { merchant: values.merchant, expiresAt })}</p>
<p>${text(next, values)}</p>!${wayBack(options)}`;
    return columns(options, main);
  };
}

/** State and act beside the request with its reference, and whom to ask. */
function columns(options: TransferPageOptions, main: string, facts: readonly Fact[] = []): string {
  const { language, request } = options;
  const label = transferTexts[language].text('facts.reference');
  // The short code: the reference of the transfer leads money to a page that may be over.
  const value = request.paymentLink.slice(request.paymentLink.lastIndexOf('/') + 1);
  const reference = copiedFact(language, { id: REFERENCE_ID, label, value });
  const isPaid = request.receivedCents > 0 || request.sentAt !== null;
  return html`<div class="columns"><div>!${main}</div>
<div class="receipt">!${askedPanel(options, [...facts, ...orderFacts(options), reference])}
!${copyStatus(language)}</div>
!${merchantContact(language, merchantOf(request), isPaid)}</div>`;
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
function waysToPay(options: TransferPageOptions, act = ''): string {
  const { request, language, path, hasQrCode } = options;
  const { text, rich } = transferTexts[language];
  const image = html`<img class="code" src="${path}/qr.svg?version=${request.version}"
 alt="${text('qr.alt')}" width="256" height="256" loading="lazy">`;
  const save = html`<a href="${path}/qr.png" download="transfer.png">${text('qr.save')}</a>`;
  // A phone cannot scan its own screen: it saves the image first.
  const narrow = html`<div class="scan narrow"><p class="save">!${save}
<span class="small">${text('qr.saved')}</span></p>
<details><summary>${text('qr.show')}</summary>!${image}</details></div>`;
  const wide = html`<div class="scan way"><h2>${text('qr.title')}</h2>!${image}
<p class="small">${text('qr.text')}</p><p class="save">!${save}
<span class="small">${text('qr.saved')}</span></p></div>`;
  return html`<div class="ways ${hasQrCode ? 'both' : ''}">
<div class="way">!${hasQrCode ? narrow : ''}!${etransferFields(request, language)}
!${transferFields(request, language)}
<ul class="rules"><li>!${rich('rule.reference')}</li><li>${text('rule.time')}</li></ul>
!${act}</div>!${hasQrCode ? wide : ''}</div>`;
}

/** The panel of the request; the amount has a label beside other amounts. */
export function askedPanel(
  options: Pick<TransferPageOptions, 'request' | 'language'>,
  facts: readonly Fact[] = [],
): string {
  const { request, language } = options;
  const { amount, over } = valuesOf(options);
  const amountLabel = over && transferTexts[language].text('facts.asked');
  return billPanel({ language, merchant: merchantOf(request), amount, amountLabel, facts });
}

function orderFacts({ request, language }: TransferPageOptions): readonly Fact[] {
  const { text } = transferTexts[language];
  return [
    [text('facts.message'), request.displayMessage],
    [text('facts.invoice'), request.invoiceNumber],
  ];
}

function wayBack({ language, request }: TransferPageOptions): string {
  const link = backLink(language, request.merchantReturnUrl, nameOf(merchantOf(request)));
  return link && html`<p class="actions">!${link}</p>`;
}

/** Without script the page does not follow by itself. */
function checkAgain({ language, path }: TransferPageOptions): string {
  const label = transferTexts[language].text('live.again');
  return html`<noscript><p class="actions"><a class="button quiet" href="${path}">${label}</a></p>
</noscript>`;
}
