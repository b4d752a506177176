import { html } from 'ghtml';
import { instant } from '#console/components/instant.ts';
import { formOf } from '#console/forms/form-field.ts';
import { readTexts } from '#console/forms/read-form.ts';
import type { ShownForm } from '#console/forms/render-field.ts';
import { buttons, formPage } from '#console/forms/render-form.ts';
import type { ConsoleAnswer, ConsolePage, Visit } from '#console/shell/visit.ts';
import { Problem } from '#lib/problem.ts';
import { insertAuditEntry } from '#merchants/audit-log-store.ts';
import {
  type EndpointHealth,
  readEndpointHealth,
} from '#webhooks/inspection/read-endpoint-health.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { startReplay } from '#webhooks/replays/start-replay.ts';
import type { WebhookPagesDeps } from '../deps.ts';
import { merchantHref, merchantPath } from '../paths.ts';
import { REPLAY_TEXTS } from './texts.ts';

const HOUR_MS = 3_600_000;
const SPANS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS } as const;
/** The failures that opened the breaker began before it, and so did their payments. */
const BEFORE_OPENING_MS = 10 * 60_000;

type Span = keyof typeof SPANS | 'failing' | 'custom';

/** The spans, from the failure on where there is one, and which of their events. */
function replayFields(visit: Visit, { openedAt }: EndpointHealth) {
  const { text, rich } = REPLAY_TEXTS[visit.language];
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
  return formOf(
    {
      name: 'span',
      kind: 'radio',
      label: text('span'),
      value: failing ? 'failing' : 'hour',
      options: failing ? [failing, ...spans] : spans,
      inner: [
        { name: 'from', kind: 'datetime-local', label: text('from') },
        { name: 'to', kind: 'datetime-local', label: text('to') },
      ],
    },
    { name: 'only', kind: 'radio', label: text('only'), value: 'all', options: only },
  );
}

/** Asks for the span of time and for what of it is sent again. */
export async function showReplayForm(deps: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const { endpoint, health } = await readEndpointHealth(
    deps.db,
    visit.merchantId,
    visit.params.id ?? '',
  );
  // A list of deliveries says which of them it shows.
  const sent = visit.query.has('only') ? visit.query : null;
  return replayForm(visit, { endpoint, health, sent });
}

/** Starts a replay; the form comes back with its faults. */
export async function beginReplay(
  { db, webhooks }: WebhookPagesDeps,
  visit: Visit,
  form: URLSearchParams,
): Promise<ConsoleAnswer> {
  const { merchantId, params, actor } = visit;
  const { endpoint, health } = await readEndpointHealth(db, merchantId, params.id ?? '');
  const { span, from, to, only } = readTexts(replayFields(visit, health), form);
  const body = {
    ...spanOf(visit, { span, from, to }, health),
    only: only === 'failed' ? ('failed' as const) : ('all' as const),
  };
  try {
    const replay = await db.transaction(async (tx) => {
      const asked = { endpointId: endpoint.id, body, faults: [] };
      const started = await startReplay(tx, webhooks, merchantId, asked);
      const { id, fromAt, toAt, onlyFailed } = started;
      await insertAuditEntry(tx, {
        actor,
        action: 'WEBHOOK_REPLAY_STARTED',
        merchantId,
        details: { endpointId: endpoint.id, replayId: id, from: fromAt, to: toAt, onlyFailed },
        occurredAt: webhooks.clock.now(),
      });
      return started;
    });
    webhooks.wakeSenders();
    const to = merchantHref(visit, 'endpoints', endpoint.id, 'replays', replay.id);
    return { to, done: 'started' };
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'VALIDATION_ERROR')) throw error;
    const badInstant = REPLAY_TEXTS[visit.language].text('badInstant');
    const faults = Object.fromEntries(error.errors.map(({ field }) => [field, badInstant]));
    return replayForm(visit, { endpoint, health, sent: form, faults });
  }
}

/** The span as the API takes it; a browser sends the date and time of a field without a zone. */
function spanOf(
  { now }: Visit,
  { span, from, to }: Readonly<Record<'span' | 'from' | 'to', string>>,
  { openedAt }: EndpointHealth,
) {
  const back = (from: Date, ms: number) => new Date(from.getTime() - ms).toISOString();
  const asUtc = (local: string) => (/Z$/i.test(local) ? local : `${local}Z`);
  if (span === 'failing') return { from: back(openedAt ?? now, BEFORE_OPENING_MS) };
  const known = Object.entries(SPANS).find(([name]) => name === span);
  if (known) return { from: back(now, known[1]) };
  return { from: asUtc(from), ...(to !== '' && { to: asUtc(to) }) };
}

interface ReplayFormOptions extends ShownForm {
  readonly endpoint: WebhookEndpoint;
  readonly health: EndpointHealth;
}

function replayForm(visit: Visit, { endpoint, health, ...shown }: ReplayFormOptions): ConsolePage {
  const { text } = REPLAY_TEXTS[visit.language];
  const { id, url, status } = endpoint;
  const paused = html`<p class="notice warning">${text('paused')}</p>`;
  return formPage(visit, {
    title: text('formTitle'),
    section: 'endpoints',
    lead: html`<p><code>${url}</code></p><p class="quiet">${text('formLead')}</p>
!${status === 'PAUSED' ? paused : ''}`,
    form: {
      ...shown,
      action: merchantPath(visit, 'endpoints', id, 'replay'),
      items: replayFields(visit, health),
      buttons: buttons(text('start'), [merchantHref(visit, 'endpoints', id), text('cancel')]),
    },
  });
}
