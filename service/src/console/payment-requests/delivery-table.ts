import { html } from 'ghtml';
import { emptyState } from '#console/components/empty-state.ts';
import { postForm } from '#console/components/form.ts';
import { instant } from '#console/components/instant.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import { type Column, table } from '#console/components/table.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { WebhookDelivery } from '#webhooks/model/delivery.ts';
import { OUTCOME_TEXTS } from './outcome-texts.ts';
import type { Story } from './read-story.ts';
import { pathOf } from './request-acts.ts';
import { REQUEST_TEXTS } from './texts.ts';

/** Where each event goes and how that stands, with the button to send it again. */
export function deliveryTable(visit: Visit, { paymentRequest, deliveries }: Story): string {
  const { text } = REQUEST_TEXTS[visit.language];
  if (deliveries.length === 0) {
    return emptyState(text('webhooksNone'), html`<p>${text('webhooksNoneWhy')}</p>`);
  }
  const base = pathOf(visit, paymentRequest);
  const columns: readonly Column<WebhookDelivery>[] = [
    { title: text('event'), isRowHeader: true, cell: ({ eventType }) => html`${eventType}` },
    { title: text('to'), cell: ({ url }) => html`<span class="mono">${url}</span>` },
    { title: text('status'), cell: (delivery) => statusOf(visit, delivery) },
    { title: text('attempts'), cell: ({ attempts }) => html`${attempts}` },
    { title: text('next'), cell: ({ nextAttemptAt }) => instant(visit, nextAttemptAt) },
    ...(visit.can('deliveries.redeliver')
      ? [{ title: text('act'), cell: (delivery: WebhookDelivery) => again(visit, base, delivery) }]
      : []),
  ];
  return table(text('webhooks'), columns, deliveries);
}

function statusOf({ language }: Visit, { status, endedBecause }: WebhookDelivery): string {
  if (status !== 'EXHAUSTED') return statusBadge(status);
  const reason = OUTCOME_TEXTS[language].text(endedBecause ?? 'ATTEMPTS_EXHAUSTED');
  return html`!${statusBadge(status)} <span class="small">${reason}</span>`;
}

function again(visit: Visit, base: string, delivery: WebhookDelivery): string {
  const { text } = REQUEST_TEXTS[visit.language];
  const { id, url, eventType, isErased, isEndpointDeleted } = delivery;
  if (isErased || isEndpointDeleted) return '–';
  const label = text('againLabel', { event: eventType, url });
  const body = html`<button class="button quiet" aria-label="${label}">${text('again')}</button>`;
  return postForm(visit, { action: `${base}/deliveries/${id}/redeliver`, body });
}
