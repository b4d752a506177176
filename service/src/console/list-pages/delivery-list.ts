import { html } from 'ghtml';
import { answerBadge } from '#console/components/health-badge.ts';
import { age, cell, code, count, id, status, statusFilter, time } from '#console/lists/columns.ts';
import { type ListSpec, listWords } from '#console/lists/list-spec.ts';
import type { Visit } from '#console/shell/visit.ts';
import { SHOWN_DELIVERIES } from '#webhooks/deliveries/delivery-list.ts';
import { countUndelivered, MOST_COUNTED_WEBHOOKS } from '#webhooks/health/read-health.ts';
import {
  DELIVERY_ORDERS,
  DELIVERY_STATUSES,
  LAST_ANSWERS,
  NIL_PAYMENT_REQUEST,
  type WebhookDelivery,
} from '#webhooks/model/delivery.ts';

const words = listWords('console.lists.deliveries');

/** The webhook deliveries of a merchant, by the filters of the call that lists them. */
export const deliveryList = (): ListSpec<WebhookDelivery> => ({
  name: 'deliveries',
  path: '/m/:merchant/deliveries',
  section: 'deliveries',
  action: 'deliveries.read',
  filters: [
    statusFilter('delivery', DELIVERY_STATUSES),
    { name: 'lastAnswer', form: 'choice', options: LAST_ANSWERS },
    { name: 'paymentRequestId', form: 'id' },
    { name: 'endpointId', form: 'id' },
    { name: 'order', form: 'choice', options: DELIVERY_ORDERS, usual: 'created' },
  ],
  columns: {
    created: { ...age((delivery) => delivery.createdAt), order: 'created' },
    eventType: cell(
      ({ eventType, isTest }, { language }) =>
        html`<span class="mono id">${eventType}</span>!${
          isTest ? html` <span class="small">${words(language).text('test')}</span>` : ''
        }`,
    ),
    status: status('delivery', (delivery) => delivery.status),
    lastAnswer: cell(({ last }, { language }) => (last ? answerBadge(language, last) : null)),
    url: code((delivery) => delivery.url),
    attempts: count((delivery) => delivery.attempts),
    lastAttempt: { ...age((delivery) => delivery.lastAttemptAt), order: 'attempt' },
    next: time((delivery) => delivery.nextAttemptAt),
    completed: time((delivery) => delivery.completedAt),
    paymentRequest: id(({ paymentRequestId }) =>
      paymentRequestId === NIL_PAYMENT_REQUEST ? null : paymentRequestId,
    ),
    endpoint: id((delivery) => delivery.endpointId),
    id: id((delivery) => delivery.id),
  },
  usual: 7,
  tabs: {
    queries: { all: '', waiting: 'status=PENDING', givenUp: 'status=EXHAUSTED' },
    most: MOST_COUNTED_WEBHOOKS - 1,
    count: (db, { merchantId }) => countUndelivered(db, merchantId),
  },
  words,
  rows: SHOWN_DELIVERIES,
  acts: [{ word: 'again', may: 'endpoints.replay', look: 'main', path: replayPath }],
  cameAt: (delivery) => delivery.createdAt,
  rowAddress: (delivery, { merchantId }) => `/console/m/${merchantId}/deliveries/${delivery.id}`,
  emptyActs: [{ word: 'endpoints', path: (_, { merchantId }) => `/m/${merchantId}/endpoints` }],
});

/** Sends what the filters show again, where they name an endpoint. */
function replayPath(_: unknown, { merchantId, query }: Visit): string | null {
  const endpointId = query.get('endpointId');
  if (!endpointId) return null;
  const lastAnswer = query.get('lastAnswer') ?? '';
  const only = query.getAll('status').join() === 'EXHAUSTED' ? 'failed' : 'all';
  const filter = new URLSearchParams({ only, ...(lastAnswer && { lastAnswer }) });
  return `/m/${merchantId}/endpoints/${endpointId}/replay?${filter}`;
}
