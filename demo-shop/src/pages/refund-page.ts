import { centsToAmount } from '@payment-requests/sdk';
import { type Html, html } from '../http/html.ts';
import { type Language, LOCALES } from '../language.ts';
import { type Order, orderPathOf } from '../order.ts';
import type { RefundFaults, RefundFields } from '../refunds/read-refund-form.ts';
import type { Refundable } from '../refunds/read-refundable.ts';
import {
  LONGEST_MESSAGE,
  merchantRefundIdOf,
  type OrderRefund,
  REFUND_REASONS,
  refundsPathOf,
} from '../refunds/refund.ts';
import { fill, refusalText, TEXTS, type Texts } from '../texts.ts';
import { headed, money, type ShopPage, type Shown } from './shop-page.ts';

export interface RefundPageOptions {
  readonly order: Order;
  /** The payments that can be refunded; null when the payment service did not answer. */
  readonly refundables: readonly Refundable[] | null;
  readonly refunds: readonly OrderRefund[];
  /** Identifies this page, so that a form that is sent twice refunds once. */
  readonly token: string;
  readonly fields?: RefundFields;
  readonly faults?: RefundFaults;
  /** The code of a call that the service refused. */
  readonly refusal?: string | null;
}

/** The service reports how such a refund ends: the page follows it. */
const UNDER_WAY: ReadonlySet<string> = new Set(['CREATED', 'PROCESSING']);

/** For the staff: the money of an order, a form to give money back, and the refunds so far. */
export function refundPage(shown: Shown, options: RefundPageOptions): ShopPage {
  const { language } = shown;
  const { order, refundables, refunds, refusal, faults } = options;
  const t = TEXTS[language].refunds;
  const isFaulty = Boolean(refusal) || (faults && Object.keys(faults).length > 0);
  const { number } = order;
  const title = fill(t.title, { number });
  // An open question comes first: a new refund beside it could give the money back twice.
  const isAsked = refunds.some(({ status }) => status === 'ASKED');
  const forms = isAsked ? [] : (refundables ?? []).filter((each) => each.availableCents > 0);
  return {
    title: isFaulty ? fill(t.faultyTitle, { number }) : title,
    path: refundsPathOf(order.id),
    script: 'shop',
    data: {
      order: refundsPathOf(order.id),
      state: refunds.map(({ status }) => status).join(' '),
      over: refunds.some(({ status }) => UNDER_WAY.has(status)) ? 'no' : 'yes',
      payable: 'no',
    },
    body: html`${headed(title)}
${order.returnedAt !== null && html`<p class="note bad"><strong>${t.returned}</strong></p>`}
${refusal && html`<p class="note bad" role="alert">${refusalText(refusal, language)}</p>`}
<div class="split"><div class="stack">
${refundables === null && html`<p class="note waiting">${t.unavailable}</p>`}
${refundables?.length === 0 && html`<p class="card">${t.nothingPaid}</p>`}
${(refundables ?? []).map((each) => sums(each, shown))}
${forms.map((each) => refundForm(each, options, shown))}</div>
<section class="card" aria-labelledby="so-far"><h2 id="so-far">${t.soFar}</h2>
${refunds.length === 0 && html`<p>${t.none}</p>`}
<ul class="refunds">${refunds.map((refund) => refundItem(refund, order, shown))}</ul>
<p><a href="${orderPathOf(order.id)}">${t.toTheOrder}</a></p>
<p><a href="/staff">${t.toTheOrders}</a></p></section></div>`,
  };
}

function sums(refundable: Refundable, shown: Shown): Html {
  const { language } = shown;
  const { attempt, receivedCents, refundedCents, returnedCents, availableCents } = refundable;
  const t = TEXTS[language].refunds;
  const row = (name: string, cents: number) =>
    html`<div><dt>${name}</dt><dd>${money(cents, shown)}</dd></div>`;
  return html`<section class="card" aria-labelledby="payment-${attempt}">
<h2 id="payment-${attempt}">${fill(t.payment, { attempt })}</h2>
<dl class="sum">${row(t.received, receivedCents)}${row(t.refunded, refundedCents)}
${returnedCents > 0 && row(t.takenBack, returnedCents)}
<div class="total"><dt>${t.available}</dt><dd>${money(availableCents, shown)}</dd></div></dl>
</section>`;
}

const AMOUNT_ATTRIBUTES = html` inputmode="decimal" required`;
const SELECTED = html` selected`;

function refundForm(refundable: Refundable, options: RefundPageOptions, shown: Shown): Html {
  const { language } = shown;
  const { paymentId, attempt, availableCents } = refundable;
  const { order, token, fields, faults } = options;
  const t = TEXTS[language].refunds;
  const available = money(availableCents, shown);
  const isOfThis = fields?.paymentId === paymentId;
  const given = isOfThis ? fields : { amount: amountText(availableCents, language), message: '' };
  const chosen = isOfThis ? fields.reason : '';
  const input = (name: 'amount' | 'message', hint: string, attributes: Html) =>
    field(
      `${name}-${attempt}`,
      { label: t[name], hint, fault: isOfThis && faults?.[name] },
      language,
      (more) =>
        html`<input type="text" id="${name}-${attempt}" name="${name}" autocomplete="off"
 value="${given[name]}"${attributes}${more}>`,
    );
  return html`<form class="card" method="post" action="${refundsPathOf(order.id)}" novalidate>
<h2>${t.giveBack}</h2>
${input('amount', fill(t.amountHint, { available }), AMOUNT_ATTRIBUTES)}
${field(
  `reason-${attempt}`,
  { label: t.reason, fault: isOfThis && faults?.reason },
  language,
  (more) =>
    html`<select id="reason-${attempt}" name="reason" required${more}>${REFUND_REASONS.map(
      (reason) =>
        html`<option value="${reason}"${reason === chosen && SELECTED}>
${t.reasons[reason]}</option>`,
    )}</select>`,
)}
${input('message', t.messageHint, html` maxlength="${LONGEST_MESSAGE}"`)}
<input type="hidden" name="payment" value="${paymentId}">
<input type="hidden" name="available" value="${availableCents}">
<input type="hidden" name="token" value="${token}">
<p class="actions"><button>${t.submit}</button></p></form>`;
}

interface FieldParts {
  readonly label: string;
  readonly hint?: string;
  readonly fault: keyof Texts['refundFaults'] | false | undefined;
}

function field(
  id: string,
  { label, hint, fault }: FieldParts,
  language: Language,
  control: (attributes: Html) => Html,
): Html {
  const { refundFaults, checkout } = TEXTS[language];
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  const attributes = html`${described && html` aria-describedby="${described}"`}${
    fault && html` aria-invalid="true" autofocus`
  }`;
  return html`<div class="field"><label for="${id}">${label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${
  fault &&
  html`<p class="fault" id="${id}-fault"><span class="unseen">${checkout.error}</span>
${refundFaults[fault]}</p>`
}
${control(attributes)}</div>`;
}

function refundItem(refund: OrderRefund, order: Order, shown: Shown): Html {
  const { language } = shown;
  const { id, status, reasonCode, amountCents, askedAt, message, reason } = refund;
  const t = TEXTS[language].refunds;
  const day = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium', timeZone: 'UTC' });
  const token = id.slice(merchantRefundIdOf(order.number, '').length);
  const reasons: Readonly<Record<string, string>> = t.reasons;
  return html`<li><p><strong>${money(amountCents, shown)}</strong>
<span class="kind">${day.format(new Date(askedAt))}, ${reasons[reason] ?? reason}</span></p>
<p>${t.statuses[status]}${reasonCode && html` <code>${reasonCode}</code>`}</p>
${message && html`<p class="kind">${message}</p>`}
${
  status === 'ASKED' &&
  html`<form method="post" action="${refundsPathOf(order.id)}">
<input type="hidden" name="token" value="${token}">
<p class="actions"><button class="second">${t.sendAgain}</button></p></form>`
}</li>`;
}

/** The amount as the staff types it: 25.50, or 25,50. */
function amountText(cents: number, language: Language): string {
  const format = { minimumFractionDigits: 2, useGrouping: false };
  return new Intl.NumberFormat(LOCALES[language], format).format(Number(centsToAmount(cents)));
}
