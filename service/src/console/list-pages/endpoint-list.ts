import { html } from 'ghtml';
import { endpointBadge } from '#console/components/badges.ts';
import { addingAct } from '#console/lists/acts.ts';
import { age, cell, code, id, text, time, wrappedUrl } from '#console/lists/columns.ts';
import { type ListSpec, listAt, listWords } from '#console/lists/list-spec.ts';
import { pagedRows } from '#console/lists/paged-rows.ts';
import { csvForm, memberColumns } from '#lib/csv.ts';
import {
  type EndpointWithHealth,
  HEALTH_STATES,
  listEndpointHealth,
} from '#webhooks/inspection/read-endpoint-health.ts';
import { ALL_EVENT_TYPES } from '#webhooks/model/event-types.ts';

const words = listWords('console.lists.endpoints');
const ADD = addingAct(
  'add',
  'endpoints.change',
  ({ merchantId }) => `/m/${merchantId}/endpoints/new`,
);

/** The webhook endpoints of a merchant: so few that they are one page. */
export const endpointList = (): ListSpec<EndpointWithHealth> => ({
  ...listAt('endpoints', words),
  filters: [
    { name: 'health', form: 'choice', options: HEALTH_STATES },
    { name: 'url', form: 'text', maxLength: 2048 },
  ],
  columns: {
    url: cell(({ url, description }) => {
      const address = html`<span class="mono">!${wrappedUrl(url)}</span>`;
      return description ? html`<strong>${description}</strong><br>!${address}` : address;
    }),
    health: cell(({ health }, visit) => endpointBadge(visit, health)),
    eventTypes: {
      cell({ eventTypes }, visit) {
        const { text } = words(visit.language);
        if (eventTypes === null) return html`${text('usualTypes')}`;
        if (eventTypes.includes(ALL_EVENT_TYPES)) return html`${text('allTypes')}`;
        return html`<span class="mono">${eventTypes.join(', ')}</span>`;
      },
    },
    created: age((endpoint) => endpoint.createdAt),
    description: text((endpoint) => endpoint.description),
    username: code((endpoint) => endpoint.username),
    overlap: time((endpoint) => endpoint.previousSigningSecretUntil),
    id: id((endpoint) => endpoint.id),
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
