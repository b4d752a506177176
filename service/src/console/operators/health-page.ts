import { html } from 'ghtml';
import { actorName } from '#console/components/act-sentence.ts';
import { badge, endpointBadge, type Tone } from '#console/components/badges.ts';
import { facts, type Tile, tiles } from '#console/components/parts.ts';
import { moneyColumn, NONE, rowHeader, table } from '#console/components/table.ts';
import { instant, relativeTime, shownDuration, shownNumber } from '#console/components/values.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import { merchantLink } from '#console/lists/named-rows.ts';
import { channelWord } from '#console/messages/message-parts.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import type { CheckResult } from '#doctor/last-run-store.ts';
import { pageTexts, type TextKey } from '#http/pages/texts.ts';
import { stalledLoop } from '#telemetry/metrics/loop-health.ts';
import { MERCHANTS_PATH } from './parts.ts';
import type { Health } from './read-health.ts';

const HEALTH_TEXTS = pageTexts('console.operators.health');

/** The banner stays a line or two; the page lists all. */
const MOST_NAMED = 3;
/** Enough to see the keys of the last rotations. */
const MOST_KEYS = 5;

type GaugeRow = readonly [
  name: TextKey<'console.operators.health'> & `g.${string}`,
  gauge: string,
  limit: number,
  isAge?: true,
];

/** The gauges of work that waits, with the limits of docs/operations/alerts.yaml. */
const GAUGES: Readonly<Record<'money' | 'webhooks', readonly GaugeRow[]>> = {
  money: [
    ['g.processingAge', 'payment_request_processing_seconds', 3_600, true],
    ['g.overdue', 'payment_request_expiry_overdue_seconds', 120, true],
    ['g.cases', 'operator_cases_open', 0],
  ],
  webhooks: [
    ['g.due', 'webhook_oldest_due_seconds', 60, true],
    ['g.probed', 'webhook_destinations_probed', 0],
    ['g.feed', 'webhook_feed_lag_seconds', 30, true],
  ],
};

/** The state of the deployment on one page. */
export function renderHealth(visit: Visit, health: Health): ConsolePage {
  const { text, rich } = HEALTH_TEXTS[visit.language];
  const acts = html`<a class="button quiet" href="/console/operator/overdue"
>${text('overdue')}</a>`;
  const keys = table(text('keys'), titled(visit, text, KEYS), health.keys.slice(0, MOST_KEYS));
  const channels =
    health.channels.length > 0
      ? table(text('messages'), titled(visit, text, CHANNELS), health.channels)
      : '';
  return {
    title: text('title'),
    head: { under: html`${text('lead')}`, acts },
    body: html`!${atAGlance(visit, health)}
<h2 id="endpoints">${text('endpoints')}</h2>!${endpointList(visit, health.endpoints)}
<div class="split"><div>!${queues(visit, 'money', health.values)}
!${queues(visit, 'webhooks', health.values)}
!${channels}</div><div>
<section class="card"><h2>${text('service')}</h2>!${serviceFacts(visit, health)}</section>
<section class="card" id="doctor"><h2>!${rich('doctor')}</h2>!${doctorResult(visit, health.doctor)}
</section>!${loopList(visit, health.loops)}
!${keys}<p class="small">!${rich('keysHow')}</p></div></div>`,
  };
}

const isStalled = (turn: Loop) => stalledLoop([turn]) !== null;

function countLoops(loops: readonly Loop[]) {
  const stalled = loops.filter(isStalled).length;
  return { stalled, turning: loops.length - stalled, all: loops.length };
}

/** Whether a person is needed, and the three numbers that say so. */
function atAGlance(visit: Visit, health: Health): string {
  const { language } = visit;
  const { text } = HEALTH_TEXTS[language];
  const { unready, endpoints, channels, doctor, loops, values } = health;
  const broken = channels.filter(({ openedAt }) => openedAt !== null);
  const { stalled, ...turns } = countLoops(loops);
  const faults = doctor?.checks.filter(({ ok }) => !ok).length ?? 0;
  const troubles = [
    ...(unready === null ? [] : [text('notReady')]),
    ...endpoints.map(({ merchantName: merchant, description, origin }) =>
      text('trouble.endpoint', { merchant, name: description ?? origin }),
    ),
    ...broken.map(({ channel, reason }) =>
      text('trouble.channel', { channel: channelWord(language, channel), reason: reason ?? '' }),
    ),
    ...(stalled > 0 ? [text('trouble.loops', { count: stalled })] : []),
    ...(faults > 0 ? [text('trouble.doctor', { count: faults })] : []),
  ];
  const count = troubles.length;
  const named = troubles.slice(0, MOST_NAMED).join(' · ') + (count > MOST_NAMED ? ' · …' : '');
  const owed = valueOfGauge(values.webhook_deliveries_pending);
  const toneOf = (found: number) => (found > 0 ? 'bad' : 'good');
  const glance: readonly Tile[] = [
    {
      label: text('endpoints'),
      value: shownNumber(language, endpoints.length),
      note: Number.isFinite(owed) ? text('owed', { count: owed }) : text('unread'),
      href: '#endpoints',
      tone: toneOf(endpoints.length),
    },
    {
      label: text('loops'),
      value: html`${text('loopsOf', turns)}`,
      note: text(stalled > 0 ? 'stalled' : 'loopsRun'),
      href: '#loops',
      tone: toneOf(stalled),
    },
    {
      label: text('doctorShort'),
      value: doctor === null ? NONE : shownNumber(language, faults),
      note: text(doctor === null ? 'doctorNot' : faults > 0 ? 'doctorBad' : 'doctorFine'),
      href: '#doctor',
      tone: doctor === null ? 'neutral' : toneOf(faults),
    },
  ];
  return html`<p class="notice verdict!${count > 0 ? ' bad' : ''}"><span class="sign"
 aria-hidden="true">${count > 0 ? '!' : '✓'}</span>
<span>${count > 0 ? named : text('well')}</span></p>
<h2 class="unseen">${text('glance')}</h2>!${tiles(glance, 'lead')}`;
}

function serviceFacts({ language }: Visit, { unready, schema, version }: Health): string {
  const { text } = HEALTH_TEXTS[language];
  const state =
    unready === null
      ? badge(text('ready'), 'good')
      : html`!${badge(text('notReady'), 'bad')} <span lang="en">${unready}</span>`;
  return facts([
    [text('state'), state],
    [text('version'), html`${version}`],
    [text('schema'), html`${schemaText(language, schema)}`],
  ]);
}

function schemaText(language: Visit['language'], schema: Health['schema']): string {
  const { text } = HEALTH_TEXTS[language];
  if (typeof schema === 'string') return schema;
  const { missing, newer, last } = schema;
  if (missing.length > 0) return text('schemaMissing', { names: missing.join(', ') });
  if (newer.length > 0) return text('schemaNewer', { names: newer.join(', ') });
  return text('schemaCurrent', { last });
}

function doctorResult(visit: Visit, run: Health['doctor']): string {
  const { text, rich } = HEALTH_TEXTS[visit.language];
  if (run === null) return html`<p>!${rich('doctorNever')}</p>`;
  const faults = run.checks.filter(({ ok }) => !ok);
  const warnings = run.checks.filter(({ ok, warning }) => ok && warning);
  const summary =
    faults.length > 0
      ? badge(text('doctorFaults', { count: faults.length }), 'bad')
      : warnings.length > 0
        ? badge(text('doctorWarnings', { count: warnings.length }), 'warning')
        : badge(text('doctorFine'), 'good');
  const troubles = [...faults, ...warnings];
  return html`!${facts([
    [text('result'), summary],
    [text('doctorRan'), bothTimes(visit, run.ranAt)],
    [text('doctorBy'), html`${actorName(visit, run.actor)}`],
    [text('doctorVersion'), html`${run.version}`],
  ])}!${troubles.length > 0 ? checkList(visit, troubles) : ''}
<details><summary>${text('allChecks')}</summary>!${checkList(visit, run.checks)}</details>
<p class="small">!${rich('doctorHow')}</p>`;
}

function checkList({ language }: Visit, checks: readonly CheckResult[]): string {
  const { text } = HEALTH_TEXTS[language];
  const items = checks.map(({ name, ok, warning, message }) => {
    const [word, tone]: [string, Tone] = !ok
      ? [text('fail'), 'bad']
      : warning
        ? [text('warn'), 'warning']
        : [text('ok'), 'good'];
    return html`<li>!${badge(word, tone)} <span lang="en"><strong>${name}</strong>:
${message}</span></li>`;
  });
  return `<ul class="plain">${items.join('')}</ul>`;
}

/** Only a value beyond its limit has a colour. */
function queues({ language }: Visit, group: keyof typeof GAUGES, values: Health['values']): string {
  const { text } = HEALTH_TEXTS[language];
  const shown = ([, , , isAge]: GaugeRow, value: number) =>
    isAge ? shownDuration(language, value) : shownNumber(language, Math.round(value));
  const now = (row: GaugeRow) => {
    const [, gauge, limit, isAge] = row;
    const value = valueOfGauge(values[gauge]);
    if (!Number.isFinite(value)) return text('unread');
    if (value > limit) return badge(shown(row, value), 'bad');
    return value === 0 ? html`<span class="quiet">${isAge ? NONE : 0}</span>` : shown(row, value);
  };
  const columns = [
    rowHeader<GaugeRow>(text('queue'), ([name]) => html`${text(name)}`),
    moneyColumn(text('now'), now),
    moneyColumn<GaugeRow>(text('limit'), (row) => shown(row, row[2])),
  ];
  return table(text(`queues.${group}`), columns, GAUGES[group]);
}

/** The value, or the sum over all labels. */
function valueOfGauge(found: unknown): number {
  if (typeof found === 'number') return found;
  if (typeof found !== 'object' || found === null) return Number.NaN;
  return Object.values(found as Record<string, number>).reduce((sum, value) => sum + value, 0);
}

type Channel = Health['channels'][number];
type Endpoint = Health['endpoints'][number];
type Key = Health['keys'][number];
type Loop = Health['loops'][number];

function endpointList(visit: Visit, endpoints: Health['endpoints']): string {
  const { text } = HEALTH_TEXTS[visit.language];
  if (endpoints.length === 0) return html`<p>${text('endpointsNone')}</p>`;
  const list = table(text('endpoints'), titled(visit, text, ENDPOINTS), endpoints);
  return `<div class="list-rows">${list}</div>`;
}

const ENDPOINTS: ListColumns<Endpoint> = {
  endpoint: show.cell(
    ({ id, merchantId, origin, description }) =>
      html`<a class="row" href="/console/m/${merchantId}/endpoints/${id}"
>${description ?? origin}</a>
!${description === null ? '' : html`<br><span class="small">${origin}</span>`}`,
  ),
  state: show.cell(({ health }, visit) => endpointBadge(visit, health)),
  merchant: merchantLink((of) => `${MERCHANTS_PATH}/${of}`),
};

const CHANNELS: ListColumns<Channel> = {
  channel: show.text(({ channel }, { language }) => channelWord(language, channel)),
  breaker: show.cell(({ openedAt, reason, retried: count, failure }, visit) => {
    const { text } = HEALTH_TEXTS[visit.language];
    if (openedAt === null && count > 0)
      return html`!${badge(text('channelRetries', { count }), 'warning')} <code>${failure}</code>`;
    if (openedAt === null) return badge(text('channelOpen'), 'good');
    return html`!${badge(text('channelBroken'), 'bad')} <code>${reason}</code>
<span class="small">!${relativeTime(visit, openedAt)}</span>`;
  }),
  due: show.count(({ due }) => due),
  oldestDue: show.age(({ oldestDueAt }) => oldestDueAt),
};

const KEYS: ListColumns<Key> = {
  keyId: show.cell(({ keyId }) => html`<code class="id">${keyId.slice(0, 12)}…</code>`),
  use: show.text(({ state }, { language }) => HEALTH_TEXTS[language].text(state)),
  age: show.cell(({ createdAt }, visit) => bothTimes(visit, createdAt)),
};

const LOOPS: ListColumns<Loop> = {
  loop: show.cell(({ name }) => html`<code>${name}</code>`),
  state: show.cell((turn, { language }) => {
    const { text } = HEALTH_TEXTS[language];
    return isStalled(turn) ? badge(text('stalled'), 'bad') : badge(text('turning'), 'good');
  }),
  turned: show.text(({ sinceMs }, { language }) =>
    HEALTH_TEXTS[language].text('seconds', { count: Math.round(sinceMs / 1e3) }),
  ),
};

/** An instant, and how long ago it was. */
function bothTimes(visit: Visit, at: Date): string {
  return html`!${instant(visit, at)} (!${relativeTime(visit, at)})`;
}

function loopList(visit: Visit, loops: Health['loops']): string {
  const { text } = HEALTH_TEXTS[visit.language];
  const worstFirst = loops.toSorted((one, other) => +isStalled(other) - +isStalled(one));
  const { stalled, ...turns } = countLoops(loops);
  return html`<details class="card" id="loops"!${stalled > 0 ? ' open' : ''}>
<summary>${text('loopsSummary', turns)}</summary>!${table(
    text('loops'),
    titled(visit, text, LOOPS),
    worstFirst,
  )}
<p class="small">${text('loopsLead')}</p></details>`;
}
