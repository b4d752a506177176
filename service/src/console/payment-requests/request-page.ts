import { html } from 'ghtml';
import { deliveryBadge, eventTitle, eventWord, requestBadge } from '#console/components/badges.ts';
import { copyField, type Fact, facts } from '#console/components/parts.ts';
import {
  amount,
  fieldWord,
  instant,
  institutionOf,
  relativeTime,
} from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { type Act, renderActs } from '#console/lists/acts.ts';
import { messageCard } from '#console/messages/message-parts.ts';
import { pageHead } from '#console/shell/page-head.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { OUTCOME_TEXTS } from '#console/webhooks/page-parts.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { CONSOLE_FIELDS, type ConsoleField } from '#payment-requests/model/field-lists.ts';
import { availableCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { isUnfinished } from '#payment-requests/model/statuses.ts';
import { takesNoMoney } from '#refunds/model/statuses.ts';
import type { WebhookDelivery } from '#webhooks/model/delivery.ts';
import type { RequestDetails } from './read-details.ts';
import { cancellation, headActs, pathOf, requestActs } from './request-acts.ts';
import { simulations } from './simulations.ts';
import { erasureNotice, standingNotice } from './standing-notice.ts';
import { REQUEST_TEXTS } from './texts.ts';
import { timelineList } from './timeline-list.ts';

/** The line about a refund: its money is on its way to a person. */
function noticeOf({ language, currency, query }: Visit, shown: RequestDetails): string | null {
  const { text } = REQUEST_TEXTS[language];
  const [refund] = shown.refunds;
  if (query.get('done') !== 'refunded' || !refund || takesNoMoney(refund.status)) return null;
  const amount = localizedAmount(language, refund.amountCents, currency);
  return text('onItsWay', { amount, payer: shown.paymentRequest.payer.name || text('thePayer') });
}

/** A payment request as a story: who, how much, which state, and what happened. */
export function renderRequest(
  visit: Visit,
  shown: RequestDetails,
  { settings, messaging }: Pick<ConsoleDeps, 'settings' | 'messaging'>,
): ConsolePage {
  const { text } = REQUEST_TEXTS[visit.language];
  const { paymentRequest: p, isCut, entries } = shown;
  const cut = isCut
    ? html`<p class="notice warning">${text('cut', { count: entries.length })}</p>`
    : '';
  const live = `/console${pathOf(visit, p)}/live?seen=${shown.version}`;
  const link = `${settings.paymentLinkBase}/${p.shortCode}`;
  const amount = localizedAmount(visit.language, p.amountCents, visit.currency);
  const list = { href: `/console/m/${visit.merchantId}/payment-requests`, name: text('requests') };
  const done = noticeOf(visit, shown);
  const head = pageHead({
    title: [p.payer.name, amount].filter(Boolean).join(' · '),
    badge: html`<span class="unseen">·</span> !${requestBadge(visit, p)}`,
    under: [p.invoiceNumber ?? p.merchantTransactionId, p.displayMessage]
      .filter((each) => each !== null)
      .map((each) => html`${each}`)
      .join(' · '),
    back: list,
    notice: done ? '' : standingNotice(visit, shown),
    acts: html`<button class="link" type="button" id="live-switch" hidden
 data-pause="${text('pause')}" data-resume="${text('resume')}">${text('pause')}</button>
!${headActs(visit, shown)}`,
  });
  const body = html`<div data-live="${live}">!${head}
!${erasureNotice(visit, shown)}!${cancellation(visit, p)}
<div class="columns"><div><section class="card"><h2>${text('facts')}</h2>
!${requestFacts(visit, shown)}</section>
!${messageCard(visit, p, shown.messages, messaging)}</div>
<div>!${simulations(visit, p)}<section class="card"><h2 id="timeline">${text('timeline')}</h2>
<p class="small">${text('newestFirst')}</p>!${cut}!${timelineList(visit, shown)}</section></div>
<div><section class="card"><h2>${text('webhooks')}</h2>!${deliveryList(visit, shown)}</section>
<section class="card">!${requestActs(visit, p, link)}</section></div></div></div>`;
  return {
    title: `${text('title')} ${p.id}`,
    body,
    scripts: ['copy-fields', 'console-live'],
    notice: done,
  };
}

const AGAIN: Act<WebhookDelivery> = {
  word: 'again',
  may: 'deliveries.redeliver',
  method: 'POST',
  look: 'slim',
  path: ({ id, paymentRequestId, isErased, isEndpointDeleted }, { merchantId }) =>
    isErased || isEndpointDeleted
      ? null
      : `/m/${merchantId}/payment-requests/${paymentRequestId}/deliveries/${id}/redeliver`,
  name: ({ url, eventType }, { language }) =>
    REQUEST_TEXTS[language].text('againLabel', { event: eventWord(language, eventType), url }),
};

/** The URLs of each event with their deliveries, and the button to send one again. */
export function deliveryList(visit: Visit, { deliveries, events }: RequestDetails): string {
  const { text } = REQUEST_TEXTS[visit.language];
  if (events.size === 0) return html`<p class="quiet">${text('webhooksNotYet')}</p>`;
  if (deliveries.length === 0) {
    const isWithheld = [...events.values()].some((event) => event.isWithheld);
    const why = text(isWithheld ? 'webhooksWithheld' : 'webhooksNoneWhy');
    return html`<p class="quiet">${text('webhooksNone')} ${why}</p>`;
  }
  const items = deliveries.map((delivery) => {
    const { eventType, url, attempts: count, nextAttemptAt } = delivery;
    const page = `/console/m/${visit.merchantId}/deliveries/${delivery.id}`;
    const next = nextAttemptAt ? html`<br>!${text('next')} !${instant(visit, nextAttemptAt)}` : '';
    const type = eventTitle(visit.language, eventType);
    return html`<li><div><p class="what">${type} !${statusOf(visit, delivery)}</p>
<p class="mono">${url}</p><p class="small"><a href="${page}"
>${text('attempts', { count })}</a>!${next}</p></div>
!${renderActs(visit, text, [AGAIN], delivery)}</li>`;
  });
  return `<ul class="deliveries">${items.join('')}</ul>`;
}

function statusOf(visit: Visit, delivery: WebhookDelivery): string {
  const shown = deliveryBadge(visit, delivery);
  if (delivery.status !== 'EXHAUSTED') return shown;
  const reason = OUTCOME_TEXTS[visit.language].text(delivery.endedBecause ?? 'ATTEMPTS_EXHAUSTED');
  return html`!${shown} <span class="small">${reason}</span>`;
}

/** The values of the payment request and of its payment, the rare ones folded, the id last. */
function requestFacts(
  visit: Visit,
  { paymentRequest: p, waitingCents }: Pick<RequestDetails, 'paymentRequest' | 'waitingCents'>,
): string {
  const { text } = REQUEST_TEXTS[visit.language];
  const line = (value: string | null | undefined) => (value ? html`${value}` : null);
  const code = (value: string | null | undefined) =>
    value ? html`<span class="mono">${value}</span>` : null;
  const { payer, payment, sandboxAdvancedUs: us } = p;
  const who = [payer.name, payer.email, payer.mobileNumber].filter(Boolean);
  const isWaiting = isUnfinished(p.status);
  const left = isWaiting ? html` · !${relativeTime(visit, p.expiresAt)}` : '';
  const expires: Fact = [text('expires'), instant(visit, p.expiresAt) + left];
  const id = copyField(visit, { id: 'id', label: text('id'), value: p.id });
  const rows: readonly Fact[] = [
    ...sums(visit, p),
    [text('waiting'), waitingCents === 0 ? null : amount(visit, waitingCents)],
    [text('payer'), who.map((each) => html`${each}`).join('<br>')],
    [text('account'), code(payer.merchantAccountId)],
    ...CONSOLE_FIELDS.map((name) => tableRow(visit, name, p[name])),
    [text('created'), instant(visit, p.createdAt)],
    ...(isWaiting ? [expires] : []),
    [text('advanced'), us ? html`${text('advancedBy', { seconds: Math.floor(us / 1e6) })}` : null],
    [text('paidAt'), payment && instant(visit, payment.completedAt)],
    [text('institution'), line(institutionOf(p))],
    [text('reference'), code(payment?.networkReference)],
    [text('id'), id],
  ];
  const rare: readonly Fact[] = [
    ...(isWaiting ? [] : [expires]),
    [text('webhookUrl'), code(p.webhook?.url)],
    [text('metadata'), code(p.metadata && JSON.stringify(p.metadata))],
  ];
  const folded = html`<details><summary>${text('more')}</summary>!${facts(rare)}</details>`;
  return facts(rows) + (rare.some(([, value]) => value) ? folded : '');
}

/** Identifiers, with the words of this page. */
const CODES = { merchantTransactionId: 'transaction', invoiceNumber: 'invoice' } as const;

/** A field of the table that the console knows. */
function tableRow({ language }: Visit, name: ConsoleField, value: string | null): Fact {
  if (name === 'merchantTransactionId' || name === 'invoiceNumber') {
    const label = REQUEST_TEXTS[language].text(CODES[name]);
    return [label, value && html`<span class="mono">${value}</span>`];
  }
  return [fieldWord(language, name), value && html`${value}`];
}

function sums(visit: Visit, p: PaymentRequest): Fact[] {
  const { text } = REQUEST_TEXTS[visit.language];
  const received = p.sums.receivedCents;
  if (received === 0) return [];
  const { returnedCents, refundedCents, refundingCents } = p.sums;
  const some = (cents: number) => (cents === 0 ? null : amount(visit, cents));
  return [
    [text('received'), amount(visit, received)],
    [text('returned'), some(returnedCents)],
    [text('refunded'), some(refundedCents)],
    [text('refunding'), some(refundingCents)],
    [text('available'), amount(visit, availableCents(p))],
  ];
}
