import { html } from 'ghtml';
import { code, id, status, statusFilter, text, time } from '#console/lists/columns.ts';
import { type ListSpec, listWords } from '#console/lists/list-spec.ts';
import { pagedRows, textIn } from '#console/lists/paged-rows.ts';
import type { Visit } from '#console/shell/visit.ts';
import { csvForm, memberColumns } from '#lib/csv.ts';
import { listOwnEndpoints } from '#webhooks/endpoints/list.ts';
import { ENDPOINT_STATUSES, type WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { ALL_EVENT_TYPES } from '#webhooks/model/event-types.ts';

const words = listWords('console.lists.endpoints');

/** The webhook endpoints of a merchant: so few that they are one page. */
export const endpointList = (): ListSpec<WebhookEndpoint> => ({
  name: 'endpoints',
  path: '/m/:merchant/endpoints',
  section: 'endpoints',
  action: 'endpoints.read',
  filters: [
    statusFilter('endpoint', ENDPOINT_STATUSES, 'choice'),
    { name: 'url', form: 'text', maxLength: 2048 },
  ],
  columns: {
    url: code((endpoint) => endpoint.url),
    status: status('endpoint', (endpoint) => endpoint.status),
    eventTypes: {
      cell({ eventTypes }, visit) {
        const { text } = words(visit.language);
        if (eventTypes === null) return html`${text('usualTypes')}`;
        if (eventTypes.includes(ALL_EVENT_TYPES)) return html`${text('allTypes')}`;
        return html`<span class="mono">${eventTypes.join(', ')}</span>`;
      },
    },
    description: text((endpoint) => endpoint.description),
    created: time((endpoint) => endpoint.createdAt),
    username: code((endpoint) => endpoint.username),
    overlap: time((endpoint) => endpoint.previousSigningSecretUntil),
    id: id((endpoint) => endpoint.id),
  },
  usual: 5,
  words,
  rows: pagedRows(
    'webhook-endpoints',
    csvForm<WebhookEndpoint>({
      ...memberColumns<WebhookEndpoint>('id', 'url', 'status'),
      'statusReason.code': (row) => (row.status === 'PAUSED' ? row.pausedReason : null),
      eventTypes: ({ eventTypes }) => eventTypes?.join(' ') ?? null,
      ...memberColumns<WebhookEndpoint>('description', 'username', 'createdAt'),
    }),
    async (db, merchantId, query) => {
      const [wanted, url] = [textIn(query, 'status'), textIn(query, 'url')];
      const data = (await listOwnEndpoints(db, `${merchantId}`)).filter(
        (each) =>
          (wanted === null || each.status === wanted) && (url === null || each.url.includes(url)),
      );
      return { data, nextCursor: null };
    },
  ),
  rowAddress: (endpoint, { merchantId }) => `/console/m/${merchantId}/endpoints/${endpoint.id}`,
  actions: addLink,
  emptyActions: addLink,
});

function addLink({ can, merchantId, language }: Visit): string {
  if (!can('endpoints.change')) return '';
  return html`<a class="button" data-key="c" href="/console/m/${merchantId}/endpoints/new"
>${words(language).text('add')}</a>`;
}
