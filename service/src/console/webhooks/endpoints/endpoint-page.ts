import { html } from 'ghtml';
import { answerBadge, endpointBadge, eventWord } from '#console/components/badges.ts';
import { emptyState, facts } from '#console/components/parts.ts';
import { instant, relativeTime, shownNumber } from '#console/components/values.ts';
import { type Act, renderActs } from '#console/lists/acts.ts';
import { listTable } from '#console/lists/list-page.ts';
import { type OfRequest, rowsOfRequests } from '#console/lists/rows-of-requests.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { DELIVERIES, requestOf } from '#console/webhooks/deliveries/delivery-page.ts';
import type { WebhookPagesDeps } from '#console/webhooks/deps.ts';
import { countdown, OUTCOME_TEXTS } from '#console/webhooks/page-parts.ts';
import { merchantHref, merchantPath } from '#console/webhooks/paths.ts';
import { REPLAYS } from '#console/webhooks/replays/replay-page.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { upperFirst } from '#lib/words/upper-first.ts';
import { DELIVERY_LIST } from '#webhooks/deliveries/delivery-list.ts';
import { shownExcerpt } from '#webhooks/https/answer-excerpt.ts';
import {
  type EndpointHealth,
  type HourOfDeliveries,
  readEndpointHealth,
  readHours,
} from '#webhooks/inspection/read-endpoint-health.ts';
import type { WebhookDelivery } from '#webhooks/model/delivery.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { ALL_EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { listReplays } from '#webhooks/replays/list-replays.ts';
import type { WebhookReplay } from '#webhooks/replays/replay-store.ts';

const LATEST = 10;
const LATEST_REPLAYS = 5;
/** The columns of the latest deliveries: all have one URL. */
const SHOWN = ['eventType', 'status', 'amount', 'payer', 'attempts', 'created'];

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
!${endpointFacts(visit, endpoint)}
<p class="actions">!${renderActs(visit, text, RARE_ACTS, endpoint)}</p></section></div>
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

/** The primary step stands last. */
const ACTS: readonly Act<WebhookEndpoint>[] = [
  act('replay', { word: 'replay', may: 'endpoints.replay' }),
  act('pause', { word: 'pause', may: 'endpoints.change', method: 'POST' }, 'ACTIVE'),
  act(
    'resume',
    { word: 'resume', may: 'endpoints.change', method: 'POST', look: 'main' },
    'PAUSED',
  ),
  act('test', { word: 'test', may: 'endpoints.test', method: 'POST', look: 'main' }, 'ACTIVE'),
];

/** Rare steps, apart from the others; the one that nobody takes back is the last. */
const RARE_ACTS: readonly Act<WebhookEndpoint>[] = [
  act('edit', { word: 'edit', may: 'endpoints.change' }),
  act('secrets', { word: 'showSecrets', may: 'endpoints.secret' }),
  act('rotate', { word: 'rotate', may: 'endpoints.secret' }),
  act('delete', { word: 'remove', may: 'endpoints.change', look: 'danger' }),
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

/** The facts about an endpoint that every reader may see; no secret. */
export function endpointFacts(visit: Visit, endpoint: WebhookEndpoint): string {
  const { text } = ENDPOINT_TEXTS[visit.language];
  const { description, username, createdAt, previousSigningSecretUntil } = endpoint;
  return facts([
    [text('description'), description === null ? null : html`${description}`],
    [text('types'), html`${typesText(visit, endpoint)}`],
    [text('username'), html`<code>${username}</code>`],
    [text('overlap'), previousSigningSecretUntil && overlapLine(visit, previousSigningSecretUntil)],
    [text('created'), instant(visit, createdAt)],
  ]);
}

function typesText({ language }: Visit, { eventTypes }: WebhookEndpoint): string {
  const { text } = ENDPOINT_TEXTS[language];
  if (eventTypes === null) return text('usualTypes');
  if (eventTypes.includes(ALL_EVENT_TYPES)) return text('allTypes');
  return upperFirst(eventTypes.map((type) => eventWord(language, type)).join(', '));
}

/** The time within which the listener has to know the new secret. */
function overlapLine(visit: Visit, until: Date): string {
  const { text, rich } = ENDPOINT_TEXTS[visit.language];
  const when = rich('overlapUntil', { until: { html: instant(visit, until) } });
  const left = countdown(visit, until, (time) => text('left', { left: time }));
  return html`!${when} <strong>!${left}</strong>`;
}

const HOURS = 24;
/** Units of the drawing, which fills its card. */
const STEP = 10;
const BAR = 7;
const HALF = 30;

const KINDS = ['succeeded', 'failed', 'untried'] as const;

/**
 * The deliveries of 24 hours as bars: delivered ones above the line, the others below it, so that
 * they differ without colour. The sentence has the same numbers.
 */
export function hoursCard({ language }: Visit, hours: readonly HourOfDeliveries[]): string {
  const { text } = ENDPOINT_TEXTS[language];
  const sum = (kind: (typeof KINDS)[number]) =>
    shownNumber(
      language,
      hours.reduce((total, hour) => total + hour[kind], 0),
    );
  const sums = text('hoursSums', {
    succeeded: sum('succeeded'),
    failed: sum('failed'),
    untried: sum('untried'),
  });
  const sides = hours.flatMap((hour) => [hour.succeeded, hour.failed + hour.untried]);
  const unit = HALF / Math.max(1, ...sides);
  const bars = hours.map(({ hoursAgo, succeeded, failed, untried }) => {
    const x = (HOURS - 1 - hoursAgo) * STEP;
    return (
      bar('good', x, HALF - succeeded * unit, succeeded * unit) +
      bar('bad', x, HALF, failed * unit) +
      bar('neutral', x, HALF + failed * unit, untried * unit)
    );
  });
  return html`<section class="card"><h2>${text('hours')}</h2>
<svg class="hours" viewBox="0 0 ${HOURS * STEP} ${2 * HALF}" preserveAspectRatio="none"
 aria-hidden="true">!${bars.join('')}<path d="M0,${HALF}H${HOURS * STEP}"/></svg>
<p class="small">${sums}</p></section>`;
}

function bar(kind: 'good' | 'bad' | 'neutral', x: number, y: number, height: number): string {
  if (height === 0) return '';
  return html`<rect class="${kind}" x="${x}" y="${y.toFixed(1)}" width="${BAR}"
 height="${height.toFixed(1)}"/>`;
}

/** The circuit breaker of an endpoint, and the oldest delivery that is due. */
export function healthCard(visit: Visit, health: EndpointHealth): string {
  const { text } = ENDPOINT_TEXTS[visit.language];
  const { failures, openedAt, nextProbeAt, pending, isPendingCut, oldestDueAt } = health;
  const waiting = text(isPendingCut ? 'atLeast' : 'count', { count: pending });
  const probe = nextProbeAt && countdown(visit, nextProbeAt, (left) => text('left', { left }));
  const list = facts([
    [text('failures'), failures > 0 && html`${failures}`],
    [text('openedAt'), openedAt && instant(visit, openedAt)],
    [text('nextProbe'), nextProbeAt && `${instant(visit, nextProbeAt)} · ${probe}`],
    [text('waiting'), html`${waiting}`],
    [text('oldest'), oldestDueAt ? instant(visit, oldestDueAt) : html`${text('nothingDue')}`],
  ]);
  return html`<section class="card"><h2>${text('health')}</h2>!${list}</section>`;
}

/** The last answer of an endpoint: what it said, when, and the attempt that got it. */
export function answerCard(visit: Visit, { answer }: EndpointHealth): string {
  const { text } = ENDPOINT_TEXTS[visit.language];
  if (answer === null) return '';
  const { deliveryId, attempt, startedAt, durationMs, outcome, responseBody } = answer;
  const label = text('answerBody');
  const body =
    responseBody === null
      ? ''
      : html`<pre tabindex="0" role="region" aria-label="${label}"><code
>${shownExcerpt(responseBody)}</code></pre>`;
  const href = `${merchantHref(visit, 'deliveries', deliveryId)}#attempt-${attempt}`;
  return html`<section class="card"><h2>${text('lastAnswer')}</h2>
<p>!${answerBadge(visit.language, answer)} !${relativeTime(visit, startedAt)} ·
${text('ms', { ms: durationMs })}</p><p>${OUTCOME_TEXTS[visit.language].text(outcome)}</p>!${body}
<p><a href="${href}">${text('toAttempt')}</a></p></section>`;
}

export const ENDPOINT_TEXTS = pageTexts('console.webhooks.endpoints');
