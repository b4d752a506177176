import { html } from 'ghtml';
import { instant } from '#console/components/values.ts';
import { formOf, readTexts } from '#console/forms/form-field.ts';
import { button, formPage } from '#console/forms/render-form.ts';
import type { Act } from '#console/shell/console-routes.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { instantAt } from '#ledger/model/day.ts';
import { Problem } from '#lib/problem.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import {
  type EndpointHealth,
  readEndpointHealth,
} from '#webhooks/inspection/read-endpoint-health.ts';
import { LAST_ANSWERS } from '#webhooks/model/delivery.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { type AskedReplay, previewReplay, startReplay } from '#webhooks/replays/start-replay.ts';
import type { WebhookPagesDeps } from '../deps.ts';
import { merchantHref } from '../paths.ts';
import { DELIVERY_WORDS, REPLAY_TEXTS } from './replay-page.ts';

const HOUR_MS = 3_600_000;
const SPANS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS } as const;
/** The failures that opened the breaker began before it, and so did their payments. */
const BEFORE_OPENING_MS = 10 * 60_000;

type Span = keyof typeof SPANS | 'failing' | 'custom';

/** The spans, from the failure on where there is one, and which of their events. */
function replayFields(visit: Visit, { openedAt }: EndpointHealth) {
  const { text, rich } = REPLAY_TEXTS[visit.language];
  const { text: answers } = DELIVERY_WORDS(visit.language);
  const zone = visit.timeZone;
  const option = (value: Span, words: string) => [value, html`<span>!${words}</span>`] as const;
  const failing =
    openedAt && option('failing', rich('failing', { at: { html: instant(visit, openedAt) } }));
  const spans = (['hour', 'day', 'week', 'custom'] as const).map((value) =>
    option(value, html`${text(value)}`),
  );
  const only = (['all', 'failed'] as const).map((value) => {
    const hint = html`<span class="hint">${text(`${value}Hint`)}</span>`;
    return [value, html`<span>${text(value)}!${hint}</span>`] as const;
  });
  const choice = <Name extends 'lastAnswer' | 'eventType', Value extends string>(
    name: Name,
    any: string,
    values: readonly Value[],
    wordOf: (value: Value) => string,
  ) => {
    const named = (value: string, word: string) => [value, html`${word}`] as const;
    const options = [named('', any), ...values.map((each) => named(each, wordOf(each)))];
    return { name, kind: 'choice' as const, label: text(name), options };
  };
  return formOf(
    {
      name: 'span',
      kind: 'radio',
      label: text('span'),
      value: failing ? 'failing' : 'hour',
      options: failing ? [failing, ...spans] : spans,
      inner: [
        { name: 'from', kind: 'datetime-local', label: text('from', { zone }) },
        { name: 'to', kind: 'datetime-local', label: text('to', { zone }) },
      ],
    },
    { name: 'only', kind: 'radio', label: text('only'), value: 'all', options: only },
    choice('lastAnswer', text('anyAnswer'), LAST_ANSWERS, (each) => answers(`option.${each}`)),
    choice('eventType', text('anyType'), EVENT_TYPES, (each) => each),
  );
}

/** Asks for the span of time and for what of it is sent again. */
export async function showReplayForm(deps: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const own = await readEndpointHealth(deps.db, visit.merchantId, visit.params.id ?? '');
  const span = own.health.openedAt ? 'failing' : 'hour';
  // A list of deliveries says which of them it shows.
  const sent = new URLSearchParams({ span, only: 'all', ...Object.fromEntries(visit.query) });
  return replayForm(deps, visit, { ...own, sent });
}

/** Counts what a replay would send, or starts it; the form comes back with its faults. */
export const beginReplay: Act = async (deps, visit, form) => {
  const { db, webhooks } = deps;
  const { merchantId, params, actor } = visit;
  const own = await readEndpointHealth(db, merchantId, params.id ?? '');
  const page = await replayForm(deps, visit, { ...own, sent: form });
  if (page.status || form.has('count')) return page;
  const replay = await db.transaction(async (tx) => {
    const started = await startReplay(tx, webhooks, merchantId, askedOf(visit, own, form));
    const { id, endpointId, fromAt, toAt, onlyFailed, eventType, lastAnswer } = started;
    const span = { endpointId, replayId: id, from: fromAt, to: toAt, onlyFailed };
    await recordAct(tx, { clock: webhooks.clock, actor }, 'WEBHOOK_REPLAY_STARTED', merchantId, {
      ...span,
      ...(eventType && { eventType }),
      ...(lastAnswer && { lastAnswer }),
    });
    return started;
  });
  webhooks.wakeSenders();
  const to = merchantHref(visit, 'endpoints', own.endpoint.id, 'replays', replay.id);
  return { to, done: 'replayStarted' };
};

type Own = Pick<ReplayFormOptions, 'endpoint' | 'health'>;

function askedOf(visit: Visit, { endpoint, health }: Own, form: URLSearchParams): AskedReplay {
  const { span, from, to, only, ...filter } = readTexts(replayFields(visit, health), form);
  return {
    endpointId: endpoint.id,
    body: {
      ...spanOf(visit, { span, from, to }, health),
      only: only === 'failed' ? 'failed' : 'all',
    },
    faults: [],
    filter: {
      eventType: EVENT_TYPES.find((each) => each === filter.eventType) ?? null,
      lastAnswer: LAST_ANSWERS.find((each) => each === filter.lastAnswer) ?? null,
    },
  };
}

/** The span as the API takes it: a browser sends the date and time of the page's zone. */
function spanOf(
  { now, timeZone }: Visit,
  { span, from, to }: Readonly<Record<'span' | 'from' | 'to', string>>,
  { openedAt }: EndpointHealth,
) {
  const back = (from: Date, ms: number) => new Date(from.getTime() - ms).toISOString();
  const asUtc = (local: string) => instantAt(local, timeZone)?.toISOString() ?? local;
  if (span === 'failing') return { from: back(openedAt ?? now, BEFORE_OPENING_MS) };
  const known = Object.entries(SPANS).find(([name]) => name === span);
  if (known) return { from: back(now, known[1]) };
  return { from: asUtc(from), ...(to !== '' && { to: asUtc(to) }) };
}

interface ReplayFormOptions {
  readonly endpoint: WebhookEndpoint;
  readonly health: EndpointHealth;
  readonly sent: URLSearchParams;
}

/** The form with the number of events that it would send, or with its faults. */
async function replayForm(
  { db, webhooks }: WebhookPagesDeps,
  visit: Visit,
  { endpoint, health, sent }: ReplayFormOptions,
): Promise<ConsolePage> {
  const { text } = REPLAY_TEXTS[visit.language];
  const { id, url, status } = endpoint;
  // The clocks of the fields are those of the page.
  const zone = visit.query.has('zone') ? `?${new URLSearchParams({ zone: visit.timeZone })}` : '';
  const paused = html`<p class="notice warning">${text('paused')}</p>`;
  const asked = askedOf(visit, { endpoint, health }, sent);
  const found = await previewReplay(db, webhooks, visit.merchantId, asked).catch(
    (error: unknown) => {
      if (error instanceof Problem && error.code === 'VALIDATION_ERROR') return error;
      throw error;
    },
  );
  const errors = found instanceof Problem ? found.errors : [];
  const faults = Object.fromEntries(errors.map(({ field }) => [field, text('badInstant')]));
  const preview =
    'count' in found && text(found.isMore ? 'previewMore' : 'preview', { count: found.count });
  return formPage(visit, {
    title: text('formTitle'),
    back: { href: merchantHref(visit, 'endpoints', id), name: text('endpoint') },
    under: text('formLead'),
    lead: html`<p><code>${url}</code></p>
!${status === 'PAUSED' ? paused : ''}`,
    ...{ sent, faults, action: visit.path + zone },
    items: [
      ...replayFields(visit, health),
      html`<p role="status"><strong>${preview || ''}</strong>
!${button(text('count'), { kind: 'quiet', name: 'count', value: 'yes' })}</p>`,
    ],
    buttons: button(text('start')),
  });
}
