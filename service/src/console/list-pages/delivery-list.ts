import { type ListSpec, listAt } from '#console/lists/list-spec.ts';
import { type OfRequest, withRequests } from '#console/lists/rows-of-requests.ts';
import { statusFilter } from '#console/lists/status-tabs.ts';
import type { Visit } from '#console/shell/visit.ts';
import { DELIVERIES, requestOf } from '#console/webhooks/deliveries/delivery-columns.ts';
import { SHOWN_DELIVERIES } from '#webhooks/deliveries/delivery-list.ts';
import { countUndelivered, MOST_COUNTED_WEBHOOKS } from '#webhooks/health/read-health.ts';
import {
  DELIVERY_ORDERS,
  DELIVERY_STATUSES,
  LAST_ANSWERS,
  type WebhookDelivery,
} from '#webhooks/model/delivery.ts';

/** The webhook deliveries of a merchant, by the filters of the call that lists them. */
export const deliveryList = (): ListSpec<OfRequest<WebhookDelivery>> => ({
  ...DELIVERIES,
  ...listAt('deliveries', DELIVERIES.words),
  filters: [
    statusFilter('delivery', DELIVERY_STATUSES),
    { name: 'lastAnswer', form: 'choice', options: LAST_ANSWERS },
    { name: 'paymentRequestId', form: 'id' },
    { name: 'endpointId', form: 'id' },
    { name: 'order', form: 'choice', options: DELIVERY_ORDERS, usual: 'created' },
  ],
  tabs: {
    queries: { all: '', waiting: 'status=PENDING', givenUp: 'status=EXHAUSTED' },
    most: MOST_COUNTED_WEBHOOKS - 1,
    count: (db, { merchantId }) => countUndelivered(db, merchantId),
  },
  rows: withRequests(SHOWN_DELIVERIES, requestOf),
  acts: [{ word: 'again', may: 'endpoints.replay', look: 'main', path: replayPath }],
  cameAt: (delivery) => delivery.createdAt,
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
