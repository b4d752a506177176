import { html } from 'ghtml';
import { instant } from '#console/components/instant.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import { eventTitle, eventWord } from '#console/components/status-words.ts';
import { type Act, renderActs } from '#console/lists/acts.ts';
import type { Visit } from '#console/shell/visit.ts';
import { OUTCOME_TEXTS } from '#console/webhooks/outcome-texts.ts';
import type { WebhookDelivery } from '#webhooks/model/delivery.ts';
import type { RequestDetails } from './read-details.ts';
import { REQUEST_TEXTS } from './texts.ts';

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
