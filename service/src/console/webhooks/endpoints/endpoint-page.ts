import { html } from 'ghtml';
import { endpointBadge } from '#console/components/badges.ts';
import { emptyState } from '#console/components/parts.ts';
import { type Act, renderActs } from '#console/lists/acts.ts';
import { listTable } from '#console/lists/list-page.ts';
import { type OfRequest, rowsOfRequests } from '#console/lists/rows-of-requests.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { DELIVERY_LIST } from '#webhooks/deliveries/delivery-list.ts';
import { readEndpointHealth, readHours } from '#webhooks/inspection/read-endpoint-health.ts';
import type { WebhookDelivery } from '#webhooks/model/delivery.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { listReplays } from '#webhooks/replays/list-replays.ts';
import type { WebhookReplay } from '#webhooks/replays/replay-store.ts';
import { DELIVERIES, requestOf } from '../deliveries/delivery-columns.ts';
import type { WebhookPagesDeps } from '../deps.ts';
import { merchantHref, merchantPath } from '../paths.ts';
import { REPLAYS } from '../replays/replay-columns.ts';
import { endpointFacts } from './endpoint-facts.ts';
import { answerCard, healthCard, hoursCard } from './health-cards.ts';
import { ENDPOINT_TEXTS } from './texts.ts';

const LATEST = 10;
const LATEST_REPLAYS = 5;
/** The columns of the latest deliveries: all have one URL. */
const SHOWN = ['eventType', 'status', 'lastAnswer', 'amount', 'payer', 'attempts', 'created'];

/** An endpoint: how it is set, how it stands, and what was sent to it. */
export async function showEndpoint({ db }: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = ENDPOINT_TEXTS[visit.language];
  const { merchantId, params } = visit;
  const { endpoint, health } = await readEndpointHealth(db, merchantId, params.id ?? '');
  const hours = await readHours(db, endpoint.id);
  const query = { endpointId: endpoint.id, limit: LATEST };
  const { data } = await DELIVERY_LIST.readPage(db, merchantId, query, []);
  const latest = await rowsOfRequests(db, merchantId, data, requestOf);
  const { data: replays } = await listReplays(db, merchantId, {
    endpointId: endpoint.id,
    after: null,
    limit: LATEST_REPLAYS,
  });
  const title = endpoint.description ?? new URL(endpoint.url).host;
  return {
    title,
    scripts: ['console-countdown'],
    head: {
      badge: endpointBadge(visit, health),
      under: html`<code>${endpoint.url}</code>`,
      back: { href: merchantHref(visit, 'endpoints'), name: text('allEndpoints') },
      acts: renderActs(visit, text, ACTS, endpoint),
    },
    body: html`!${endpoint.status === 'PAUSED' ? pausedNotice(visit, endpoint) : ''}
<div class="panels">!${answerCard(visit, health)}!${hoursCard(visit, hours)}
!${healthCard(visit, health)}<section class="card"><h2>${text('settings')}</h2>
!${endpointFacts(visit, endpoint)}</section></div>
!${deliveriesOf(visit, endpoint, latest)}!${replaysOf(visit, replays)}`,
  };
}

function pausedNotice({ language }: Visit, { pausedReason }: WebhookEndpoint): string {
  const { text } = ENDPOINT_TEXTS[language];
  const why =
    pausedReason === 'GONE'
      ? text('GONE')
      : text(pausedReason === 'FAILING' ? 'FAILING_REASON' : 'PAUSED_BY_MERCHANT');
  return html`<p class="notice warning">${why} ${text('pausedNotice')}</p>`;
}

/** The steps, the primary one last. */
const ACTS: readonly Act<WebhookEndpoint>[] = [
  act('delete', { word: 'remove', may: 'endpoints.change', look: 'danger' }),
  act('rotate', { word: 'rotate', may: 'endpoints.secret' }),
  act('secrets', { word: 'showSecrets', may: 'endpoints.secret' }),
  act('pause', { word: 'pause', may: 'endpoints.change', method: 'POST' }, 'ACTIVE'),
  act('resume', { word: 'resume', may: 'endpoints.change', method: 'POST' }, 'PAUSED'),
  act('edit', { word: 'edit', may: 'endpoints.change' }),
  act('replay', { word: 'replay', may: 'endpoints.replay' }),
  act('test', { word: 'test', may: 'endpoints.test', method: 'POST' }, 'ACTIVE'),
];

function act(
  part: string,
  shown: Omit<Act<WebhookEndpoint>, 'path'>,
  at?: WebhookEndpoint['status'],
): Act<WebhookEndpoint> {
  return {
    ...shown,
    path: ({ id, status }, visit) =>
      (at ?? status) === status ? merchantPath(visit, 'endpoints', id, part) : null,
  };
}

function replaysOf(visit: Visit, replays: readonly WebhookReplay[]): string {
  if (replays.length === 0) return '';
  const { text } = ENDPOINT_TEXTS[visit.language];
  const columns = Object.keys(REPLAYS.columns).slice(0, REPLAYS.usual);
  return html`<h2>${REPLAYS.words(visit.language).text('title')}</h2>
!${listTable(REPLAYS, visit, columns, replays)}
<p><a href="${merchantHref(visit, 'replays')}">${text('allReplays')}</a></p>`;
}

function deliveriesOf(
  visit: Visit,
  { id }: WebhookEndpoint,
  deliveries: readonly OfRequest<WebhookDelivery>[],
): string {
  const { text } = ENDPOINT_TEXTS[visit.language];
  if (deliveries.length === 0) return emptyState(text('noDeliveries'));
  const list = listTable(DELIVERIES, visit, SHOWN, deliveries);
  const all = `${merchantHref(visit, 'deliveries')}?endpointId=${id}`;
  return html`<h2>${text('latest')}</h2>!${list}
<p><a href="${all}">${text('allDeliveries')}</a></p>`;
}
