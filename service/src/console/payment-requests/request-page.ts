import { html } from 'ghtml';
import { instant } from '#console/components/instant.ts';
import { pageHead } from '#console/components/page-head.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import { eventTitle, eventWord } from '#console/components/status-words.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { type Act, renderActs } from '#console/lists/acts.ts';
import { messageCard } from '#console/messages/message-card.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { OUTCOME_TEXTS } from '#console/webhooks/outcome-texts.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { takesNoMoney } from '#refunds/model/statuses.ts';
import type { WebhookDelivery } from '#webhooks/model/delivery.ts';
import type { RequestDetails } from './read-details.ts';
import { cancellation, headActs, pathOf, requestActs } from './request-acts.ts';
import { requestFacts } from './request-facts.ts';
import { REQUEST_TEXTS } from './texts.ts';
import { timelineList } from './timeline-list.ts';

/** The order of an operator to erase the payer, while it waits. */
function erasureNotice(visit: Visit, { erasure }: RequestDetails): string {
  if (erasure === null) return '';
  const { text } = REQUEST_TEXTS[visit.language];
  const why = text(`erasure.${erasure.because}`);
  return html`<p class="notice warning">${text('erasureWaits')} ${why}
!${instant(visit, erasure.askedAt)}</p>`;
}

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
  const head = pageHead({
    title: [p.payer.name, amount].filter(Boolean).join(' · '),
    badge: html`<span class="unseen">·</span> !${statusBadge(visit, `request.${p.status}`)}`,
    under: [p.invoiceNumber ?? p.merchantTransactionId, p.displayMessage]
      .filter((each) => each !== null)
      .map((each) => html`${each}`)
      .join(' · '),
    back: list,
    acts: html`<button class="link" type="button" id="live-switch" hidden
 data-pause="${text('pause')}" data-resume="${text('resume')}">${text('pause')}</button>
!${headActs(visit, p)}`,
  });
  const body = html`<div data-live="${live}">!${head}!${cancellation(visit, p)}
<div class="columns"><div><section class="card"><h2>${text('facts')}</h2>
!${requestFacts(visit, shown)}</section>!${erasureNotice(visit, shown)}
!${messageCard(visit, p, shown.messages, messaging)}
<section class="card"><h2>${text('webhooks')}</h2>!${deliveryList(visit, shown)}</section>
<section class="card">!${requestActs(visit, p, link)}</section></div>
<section class="card"><h2 id="timeline">${text('timeline')}</h2>
<p class="small">${text('newestFirst')}</p>!${cut}
!${timelineList(visit, shown)}</section></div></div>`;
  return {
    title: `${text('title')} ${p.id}`,
    section: 'payment-requests',
    body,
    scripts: ['copy-fields', 'console-live'],
    notice: noticeOf(visit, shown),
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

function statusOf(visit: Visit, { status, endedBecause }: WebhookDelivery): string {
  if (status !== 'EXHAUSTED') return statusBadge(visit, `delivery.${status}`);
  const reason = OUTCOME_TEXTS[visit.language].text(endedBecause ?? 'ATTEMPTS_EXHAUSTED');
  return html`!${statusBadge(visit, `delivery.${status}`)} <span class="small">${reason}</span>`;
}
