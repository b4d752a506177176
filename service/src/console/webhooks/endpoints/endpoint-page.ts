import { html } from 'ghtml';
import { emptyState } from '#console/components/empty-state.ts';
import { postForm } from '#console/components/form.ts';
import { instant } from '#console/components/instant.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import { table } from '#console/components/table.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { listDeliveries } from '#webhooks/deliveries/list-deliveries.ts';
import { readEndpointHealth } from '#webhooks/inspection/read-endpoint-health.ts';
import type { WebhookDelivery } from '#webhooks/model/delivery.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { listReplays } from '#webhooks/replays/list-replays.ts';
import type { WebhookReplay } from '#webhooks/replays/replay-store.ts';
import type { WebhookPagesDeps } from '../deps.ts';
import { merchantHref, merchantPath } from '../paths.ts';
import { replayTable } from '../replays/replay-table.ts';
import { endpointFacts } from './endpoint-facts.ts';
import { healthCard } from './health-card.ts';
import { ENDPOINT_TEXTS } from './texts.ts';

const LATEST = 10;
const LATEST_REPLAYS = 5;

/** An endpoint: how it is set, how it stands, and what was sent to it. */
export async function showEndpoint({ db }: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = ENDPOINT_TEXTS[visit.language];
  const { merchantId, params } = visit;
  const { endpoint, health } = await readEndpointHealth(db, merchantId, params.id ?? '');
  const query = { endpointId: endpoint.id, limit: LATEST };
  const { data } = await listDeliveries(db, merchantId, query, []);
  const { replays } = await listReplays(db, merchantId, { endpointId: endpoint.id, after: null });
  return {
    title: text('title'),
    section: 'endpoints',
    notice: doneNotice(visit),
    scripts: ['console-countdown'],
    body: html`<h1>${text('title')}</h1>
!${endpointFacts(visit, endpoint)}!${actionsOf(visit, endpoint)}
!${endpoint.status === 'PAUSED' ? html`<p class="notice wait">${text('pausedNotice')}</p>` : ''}
!${healthCard(visit, health)}!${deliveriesOf(visit, endpoint, data)}
!${replaysOf(visit, replays.slice(0, LATEST_REPLAYS))}`,
  };
}

const DONE = {
  created: 'doneCreated',
  moved: 'doneMoved',
  paused: 'donePaused',
  resumed: 'doneResumed',
} as const;

function doneNotice({ query, language }: Visit): string | null {
  const key = query.get('done') ?? '';
  if (!Object.hasOwn(DONE, key)) return null;
  return ENDPOINT_TEXTS[language].text(DONE[key as keyof typeof DONE]);
}

/** Only the steps that the person may take. */
function actionsOf(visit: Visit, { id, status }: WebhookEndpoint): string {
  const { text } = ENDPOINT_TEXTS[visit.language];
  const button = (part: string, label: string) =>
    postForm(visit, {
      action: merchantPath(visit, 'endpoints', id, part),
      body: html`<button class="button quiet">${label}</button>`,
    });
  const link = (part: string, label: string, kind = 'quiet') =>
    html`<a class="button ${kind}" href="${merchantHref(visit, 'endpoints', id, part)}"
>${label}</a>`;
  const [toggle, label] =
    status === 'ACTIVE' ? ['pause', text('pause')] : ['resume', text('resume')];
  const steps = [
    visit.can('endpoints.test') && status === 'ACTIVE' && button('test', text('test')),
    visit.can('endpoints.replay') && link('replay', text('replay')),
    visit.can('endpoints.change') && link('edit', text('edit')),
    visit.can('endpoints.change') && button(toggle ?? '', label ?? ''),
    visit.can('endpoints.secret') && link('rotate', text('rotate')),
    visit.can('endpoints.secret') && link('secrets', text('showSecrets')),
    visit.can('endpoints.change') && link('delete', text('remove'), 'danger'),
  ].filter((step) => step !== false);
  return steps.length === 0 ? '' : html`<div class="actions">!${steps.join('')}</div>`;
}

function replaysOf(visit: Visit, replays: readonly WebhookReplay[]): string {
  if (replays.length === 0) return '';
  const { text } = ENDPOINT_TEXTS[visit.language];
  return html`!${replayTable(visit, replays)}
<p><a href="${merchantHref(visit, 'replays')}">${text('allReplays')}</a></p>`;
}

function deliveriesOf(
  visit: Visit,
  { id }: WebhookEndpoint,
  deliveries: readonly WebhookDelivery[],
): string {
  const { text } = ENDPOINT_TEXTS[visit.language];
  if (deliveries.length === 0) return emptyState(text('noDeliveries'));
  const list = table<WebhookDelivery>(
    text('latest'),
    [
      {
        title: text('event'),
        isRowHeader: true,
        cell: (one) =>
          html`<a href="${merchantHref(visit, 'deliveries', one.id)}">${
            one.isTest ? text('testEvent') : one.eventType
          }</a>`,
      },
      {
        title: text('deliveryStatus'),
        cell: ({ status }) => statusBadge(visit, `delivery.${status}`),
      },
      { title: text('attempts'), cell: ({ attempts }) => html`${attempts}` },
      { title: text('at'), cell: ({ createdAt }) => instant(visit, createdAt) },
    ],
    deliveries,
  );
  const all = `${merchantHref(visit, 'deliveries')}?endpointId=${id}`;
  return html`!${list}<p><a href="${all}">${text('allDeliveries')}</a></p>`;
}
