import { html } from 'ghtml';
import { instant } from '#console/components/instant.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import {
  type ListFilter,
  type ListParameters,
  type ListSpec,
  wordsOf,
} from '#console/lists/list-spec.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { csvLine } from '#lib/csv.ts';
import { formatInstant } from '#lib/instant.ts';
import { Problem } from '#lib/problem.ts';
import { listOwnEndpoints } from '#webhooks/endpoints/list.ts';
import { ENDPOINT_STATUSES, type WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { ALL_EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { identifier, mono, optional } from './cells.ts';
import { csvFile } from './csv-file.ts';
import { ENDPOINT_LIST_TEXTS } from './endpoint-texts.ts';

const FILTERS: readonly ListFilter[] = [
  { name: 'status', form: 'choice', options: ENDPOINT_STATUSES },
  { name: 'url', form: 'text', maxLength: 2048 },
];

const COLUMNS: ListSpec<WebhookEndpoint>['columns'] = [
  { name: 'url', isUsual: true, cell: ({ url }) => mono(url) },
  {
    name: 'status',
    isUsual: true,
    cell: ({ status }, visit) => statusBadge(visit, `endpoint.${status}`),
  },
  {
    name: 'eventTypes',
    isUsual: true,
    cell({ eventTypes }, { language }) {
      const { text } = ENDPOINT_LIST_TEXTS[language];
      if (eventTypes === null) return html`${text('usualTypes')}`;
      const isAll = eventTypes.includes(ALL_EVENT_TYPES);
      return isAll ? html`${text('allTypes')}` : mono(eventTypes.join(', '));
    },
  },
  { name: 'description', isUsual: true, cell: ({ description }) => optional(description) },
  { name: 'created', isUsual: true, cell: (row, visit) => instant(visit, row.createdAt) },
  { name: 'username', isUsual: false, cell: ({ username }) => mono(username) },
  {
    name: 'overlap',
    isUsual: false,
    cell: (row, visit) => instant(visit, row.previousSigningSecretUntil),
  },
  { name: 'id', isUsual: false, cell: ({ id }) => identifier(id) },
];

type CellOf = (endpoint: WebhookEndpoint) => string | null;

const CSV_CELLS: Readonly<Record<string, CellOf>> = {
  id: ({ id }) => id,
  url: ({ url }) => url,
  status: ({ status }) => status,
  'statusReason.code': ({ status, pausedReason }) => (status === 'PAUSED' ? pausedReason : null),
  eventTypes: ({ eventTypes }) => eventTypes?.join(' ') ?? null,
  description: ({ description }) => description,
  username: ({ username }) => username,
  createdDateTime: ({ createdAt }) => formatInstant(createdAt),
};

export interface EndpointListDeps {
  readonly db: Executor;
  readonly clock: Clock;
}

/** The webhook endpoints of a merchant: so few that they are one page. */
export function endpointList({ db, clock }: EndpointListDeps): ListSpec<WebhookEndpoint> {
  const find = async ({ merchantId }: Visit, parameters: ListParameters) => {
    const { status, url } = parameters;
    if (status !== undefined && !ENDPOINT_STATUSES.some((each) => each === status)) {
      const message = `Give status as ${ENDPOINT_STATUSES.join(' or ')}.`;
      throw new Problem('VALIDATION_ERROR', {
        errors: [{ field: 'status', code: 'INVALID_VALUE', message }],
      });
    }
    return (await listOwnEndpoints(db, merchantId)).filter(
      (each) =>
        (status === undefined || each.status === status) &&
        (url === undefined || each.url.includes(String(url))),
    );
  };
  return {
    name: 'endpoints',
    path: '/m/:merchant/endpoints',
    section: 'endpoints',
    action: 'endpoints.read',
    filters: FILTERS,
    hasDays: false,
    hasViews: true,
    columns: COLUMNS,
    words: wordsOf(ENDPOINT_LIST_TEXTS),
    rowAddress: ({ id }, { merchantId }) => `/console/m/${merchantId}/endpoints/${id}`,
    read: async (visit, _, parameters) => ({
      data: await find(visit, parameters),
      nextCursor: null,
    }),
    async csv(visit, _, parameters) {
      const lines = (await find(visit, parameters)).map((each) =>
        csvLine(Object.values(CSV_CELLS).map((cellOf) => cellOf(each))),
      );
      const text = csvLine(Object.keys(CSV_CELLS)) + lines.join('');
      return csvFile('webhook-endpoints', clock, text);
    },
    actions: addLink,
    emptyActions: addLink,
  };
}

function addLink({ can, merchantId, language }: Visit): string {
  if (!can('endpoints.change')) return '';
  return html`<a class="button" data-key="c" href="/console/m/${merchantId}/endpoints/new"
>${ENDPOINT_LIST_TEXTS[language].text('add')}</a>`;
}
