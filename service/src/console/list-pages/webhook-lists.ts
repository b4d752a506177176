import { html } from 'ghtml';
import { endpointBadge } from '#console/components/badges.ts';
import { addingAct } from '#console/lists/acts.ts';
import { show, wrappedUrl } from '#console/lists/columns.ts';
import {
  type ListFilter,
  type ListSpec,
  listAt,
  listWords,
  statusFilter,
} from '#console/lists/list-spec.ts';
import { pagedRows } from '#console/lists/paged-rows.ts';
import { type OfRequest, REQUEST_FILTER, withRequests } from '#console/lists/rows-of-requests.ts';
import type { Visit } from '#console/shell/visit.ts';
import { DELIVERIES, requestOf } from '#console/webhooks/deliveries/delivery-page.ts';
import { merchantPath } from '#console/webhooks/paths.ts';
import { REPLAYS } from '#console/webhooks/replays/replay-page.ts';
import { csvForm, memberColumns, memberForm } from '#lib/csv.ts';
import { SHOWN_DELIVERIES } from '#webhooks/deliveries/delivery-list.ts';
import { listOwnEndpoints } from '#webhooks/endpoints/list.ts';
import { countUndelivered, MOST_COUNTED_WEBHOOKS } from '#webhooks/health/read-health.ts';
import {
  type EndpointWithHealth,
  HEALTH_STATES,
  listEndpointHealth,
} from '#webhooks/inspection/read-endpoint-health.ts';
import {
  DELIVERY_ORDERS,
  DELIVERY_STATUSES,
  LAST_ANSWERS,
  type WebhookDelivery,
} from '#webhooks/model/delivery.ts';
import { ALL_EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { listReplays } from '#webhooks/replays/list-replays.ts';
import type { WebhookReplay } from '#webhooks/replays/replay-store.ts';

const words = listWords('console.lists.endpoints');
const ADD = addingAct(
  'add',
  'endpoints.change',
  ({ merchantId }) => `/m/${merchantId}/endpoints/new`,
);

const ENDPOINT_FILTER: ListFilter = {
  name: 'endpointId',
  form: 'id',
  async nameOf(db, id, { merchantId }) {
    const all = await listOwnEndpoints(db, merchantId);
    const found = all.find((each) => each.id === id);
    return found && (found.description ?? found.url);
  },
};

/** The webhook endpoints of a merchant: so few that they are one page. */
export const endpointList = (): ListSpec<EndpointWithHealth> => ({
  ...listAt('endpoints', words),
  filters: [
    { name: 'health', form: 'choice', options: HEALTH_STATES },
    { name: 'url', form: 'text', maxLength: 2048 },
  ],
  columns: {
    url: show.cell(({ url, description }) => {
      const address = html`<span class="mono">!${wrappedUrl(url)}</span>`;
      return description ? html`<strong>${description}</strong><br>!${address}` : address;
    }),
    health: show.cell(({ health }, visit) => endpointBadge(visit, health)),
    eventTypes: {
      cell({ eventTypes }, visit) {
        const { text } = words(visit.language);
        if (eventTypes === null) return html`${text('usualTypes')}`;
        if (eventTypes.includes(ALL_EVENT_TYPES)) return html`${text('allTypes')}`;
        return html`<span class="mono">${eventTypes.join(', ')}</span>`;
      },
    },
    created: show.age((endpoint) => endpoint.createdAt),
    description: show.text((endpoint) => endpoint.description),
    username: show.code((endpoint) => endpoint.username),
    overlap: show.age((endpoint) => endpoint.previousSigningSecretUntil),
    id: show.id((endpoint) => endpoint.id),
  },
  usual: 4,
  tabs: {
    queries: { all: '', failing: 'health=FAILING' },
    most: Infinity,
    async count(db, { merchantId }) {
      const all = await listEndpointHealth(db, merchantId);
      const failing = all.filter(({ health }) => health.state === 'FAILING');
      return { all: all.length, failing: failing.length };
    },
  },
  rows: pagedRows(
    'webhook-endpoints',
    csvForm<EndpointWithHealth>({
      ...memberColumns<EndpointWithHealth>('id', 'url', 'status'),
      'statusReason.code': (row) => (row.status === 'PAUSED' ? row.pausedReason : null),
      eventTypes: ({ eventTypes }) => eventTypes?.join(' ') ?? null,
      health: ({ health }) => health.state,
      ...memberColumns<EndpointWithHealth>('description', 'username', 'createdAt'),
    }),
    async (db, merchantId, { filter }) => {
      const [wanted, part] = [filter('health'), filter('url')];
      const data = (await listEndpointHealth(db, `${merchantId}`)).filter(
        ({ health, url }) => (wanted ?? health.state) === health.state && url.includes(part ?? ''),
      );
      return { data, nextCursor: null };
    },
  ),
  rowAddress: (endpoint, { merchantId }) => `/console/m/${merchantId}/endpoints/${endpoint.id}`,
  acts: [ADD],
  emptyActs: [ADD],
});

/** The webhook deliveries of a merchant, by the filters of the call that lists them. */
export const deliveryList = (): ListSpec<OfRequest<WebhookDelivery>> => ({
  ...DELIVERIES,
  ...listAt('deliveries', DELIVERIES.words),
  filters: [
    statusFilter('delivery', DELIVERY_STATUSES),
    { name: 'lastAnswer', form: 'choice', options: LAST_ANSWERS },
    { ...REQUEST_FILTER, name: 'paymentRequestId' },
    ENDPOINT_FILTER,
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

const CSV = memberForm<WebhookReplay>(
  ...(['id', 'endpointId', 'status', 'fromAt', 'toAt', 'onlyFailed', 'examined'] as const),
  ...(['queued', 'pending', 'createdAt', 'completedAt'] as const),
);

/** A merchant's replays, also those of deleted endpoints. */
export const replayList = (): ListSpec<WebhookReplay> => ({
  ...REPLAYS,
  name: 'replays',
  path: '/m/:merchant/replays',
  action: 'endpoints.read',
  filters: [ENDPOINT_FILTER],
  rows: pagedRows('webhook-replays', CSV, (db, merchantId, { cursor: after, limit, filter }) =>
    listReplays(db, `${merchantId}`, { endpointId: filter('endpointId'), after, limit }),
  ),
  emptyActs: [{ word: 'toEndpoints', path: (_, visit) => merchantPath(visit, 'endpoints') }],
});
