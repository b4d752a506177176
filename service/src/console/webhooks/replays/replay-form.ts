import { html } from 'ghtml';
import { postForm } from '#console/components/form.ts';
import { instant } from '#console/components/instant.ts';
import type { ConsoleAnswer, ConsolePage, Visit } from '#console/shell/visit.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
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

interface ReplayFields {
  readonly span: keyof typeof SPANS | 'failing' | 'custom';
  readonly from: string;
  readonly to: string;
  readonly only: 'all' | 'failed';
}

/** Asks for the span of time and for what of it is sent again. */
export async function showReplayForm(deps: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const { endpoint, health } = await readEndpointHealth(
    deps.db,
    visit.merchantId,
    visit.params.id ?? '',
  );
  const span = health.openedAt ? 'failing' : 'hour';
  const fields = { span, from: '', to: '', only: 'all' } as const;
  return replayForm(visit, { endpoint, health, fields, faults: [] });
}

/** Starts a replay; the form comes back with its faults. */
export async function beginReplay(
  { db, webhooks }: WebhookPagesDeps,
  visit: Visit,
  form: URLSearchParams,
): Promise<ConsoleAnswer> {
  const { merchantId, params, actor } = visit;
  const { endpoint, health } = await readEndpointHealth(db, merchantId, params.id ?? '');
  const fields = readFields(form);
  const body = { ...spanOf(visit, fields, health), only: fields.only };
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
    return replayForm(visit, { endpoint, health, fields, faults: error.errors });
  }
}

function readFields(form: URLSearchParams): ReplayFields {
  const span = form.get('span') ?? '';
  return {
    span:
      Object.hasOwn(SPANS, span) || span === 'failing' ? (span as ReplayFields['span']) : 'custom',
    from: form.get('from') ?? '',
    to: form.get('to') ?? '',
    only: form.get('only') === 'failed' ? 'failed' : 'all',
  };
}

/** The span as the API takes it; a browser sends the date and time of a field without a zone. */
function spanOf({ now }: Visit, { span, from, to }: ReplayFields, { openedAt }: EndpointHealth) {
  const back = (from: Date, ms: number) => new Date(from.getTime() - ms).toISOString();
  const asUtc = (local: string) => (/Z$/i.test(local) ? local : `${local}Z`);
  if (span === 'custom') {
    return { from: asUtc(from), ...(to !== '' && { to: asUtc(to) }) };
  }
  if (span === 'failing') return { from: back(openedAt ?? now, BEFORE_OPENING_MS) };
  return { from: back(now, SPANS[span]) };
}

interface ReplayFormOptions {
  readonly endpoint: WebhookEndpoint;
  readonly health: EndpointHealth;
  readonly fields: ReplayFields;
  readonly faults: readonly FieldFault[];
}

function replayForm(visit: Visit, options: ReplayFormOptions): ConsolePage {
  const { text } = REPLAY_TEXTS[visit.language];
  const { endpoint, faults, fields } = options;
  const { id, url, status } = endpoint;
  const isPaused = status === 'PAUSED';
  const body = html`!${spanChoices(visit, options)}!${onlyChoices(visit, fields)}
<p class="actions"><button class="button">${text('start')}</button>
<a class="button quiet" href="${merchantHref(visit, 'endpoints', id)}">${text('cancel')}</a></p>`;
  return {
    title: text('formTitle'),
    section: 'endpoints',
    ...(faults.length > 0 && { status: 422 }),
    body: html`<h1>${text('formTitle')}</h1><p><code>${url}</code></p>
<p class="quiet">${text('formLead')}</p>
!${isPaused ? html`<p class="notice wait">${text('paused')}</p>` : ''}
!${postForm(visit, { action: merchantPath(visit, 'endpoints', id, 'replay'), body })}`,
  };
}

function spanChoices(visit: Visit, { health, fields, faults }: ReplayFormOptions): string {
  const { text, rich } = REPLAY_TEXTS[visit.language];
  const radio = (value: ReplayFields['span'], label: string) =>
    html`<label class="choice"><input type="radio" name="span" value="${value}"!${
      fields.span === value ? ' checked' : ''
    }> <span>!${label}</span></label>`;
  const moment = (name: 'from' | 'to') => {
    const fault = faults.some(({ field }) => field === name) ? text('badInstant') : '';
    return html`<div class="field!${fault ? ' bad' : ''}"><label for="${name}">${text(name)}</label>
!${fault ? html`<span class="fault" id="${name}-fault">${fault}</span>` : ''}<input
 id="${name}" name="${name}" type="datetime-local" step="1" value="${fields[name]}"!${
   fault ? ` aria-invalid="true" aria-describedby="${name}-fault"` : ''
 }></div>`;
  };
  const failing =
    health.openedAt &&
    radio('failing', rich('failing', { at: { html: instant(visit, health.openedAt) } }));
  return html`<fieldset class="field"><legend>${text('span')}</legend>!${failing ?? ''}
!${radio('hour', html`${text('hour')}`)}!${radio('day', html`${text('day')}`)}
!${radio('week', html`${text('week')}`)}!${radio('custom', html`${text('custom')}`)}
<div class="inner">!${moment('from')}!${moment('to')}</div></fieldset>`;
}

function onlyChoices({ language }: Visit, { only }: ReplayFields): string {
  const { text } = REPLAY_TEXTS[language];
  const radio = (value: ReplayFields['only']) =>
    html`<label class="choice"><input type="radio" name="only" value="${value}"!${
      only === value ? ' checked' : ''
    }> <span>${text(value)}<span class="hint">${text(`${value}Hint`)}</span></span></label>`;
  return html`<fieldset class="field"><legend>${text('only')}</legend>!${radio('all')}
!${radio('failed')}</fieldset>`;
}
