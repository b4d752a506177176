import { html } from 'ghtml';
import { actorForMerchant } from '#audit/actor-for-merchant.ts';
import type { Settlement } from '#cases/model/case-kinds.ts';
import { actSentence } from '#console/components/act-sentence.ts';
import { eventWord, statusWord, toneOf } from '#console/components/badges.ts';
import type { TimelineItem } from '#console/components/parts.ts';
import { shownDate } from '#console/components/values.ts';
import { MESSAGE_TEXTS, messageName, reasonOf } from '#console/messages/message-parts.ts';
import { CASE_TEXTS, MONEY_WORDS } from '#console/money/texts.ts';
import type { Visit } from '#console/shell/visit.ts';
import { OUTCOME_TEXTS } from '#console/webhooks/page-parts.ts';
import type { PayerStep } from '#e-transfer/e-transfer-network.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { StoredAuditEntry } from '#merchants/audit-log-store.ts';
import type { CancellationReason } from '#payment-requests/model/cancellation-reasons.ts';
import type { ChangeableField } from '#payment-requests/model/field-lists.ts';
import type { TimelineEntry } from '#payment-requests/timeline/read-timeline.ts';
import type { RefundReasonCode, RefundStatus } from '#refunds/model/statuses.ts';
import type { WebhookAttempt } from '#webhooks/deliveries/attempt-store.ts';
import type { SentEvent } from '#webhooks/deliveries/sent-store.ts';
import { shownExcerpt } from '#webhooks/https/answer-excerpt.ts';
import { shownHeaders } from '#webhooks/https/webhook-headers.ts';
import type { RequestDetails } from './read-details.ts';
import { REASON_TEXTS, REQUEST_TEXTS, TIMELINE_TEXTS } from './texts.ts';
import type { RequestEntry } from './timeline-entry.ts';

const CASE_STATES = pageTexts('console.lists.cases');

/** An entry as the page shows it. */
export interface ShownEntry extends Omit<TimelineItem, 'when'> {
  /** HTML of the API's own words, which the page folds. */
  readonly codes?: readonly string[];
}

/** The words of an entry. */
export function wordsOf(visit: Visit, shown: RequestDetails, entry: RequestEntry): ShownEntry {
  switch (entry.kind) {
    case 'HISTORY':
      return historyWords(visit, shown, entry.entry);
    case 'EVENT':
      return eventWords(visit, entry);
    case 'MOVEMENT':
      return movementWords(visit, entry.movement);
    case 'ACT':
      return actWords(visit, entry.act);
  }
}

function historyWords(visit: Visit, shown: RequestDetails, entry: TimelineEntry): ShownEntry {
  const { text, rich } = TIMELINE_TEXTS[visit.language];
  const told = tellHistory(visit, shown, entry);
  const call =
    'requestId' in entry && entry.requestId ? [rich('call', { id: entry.requestId })] : [];
  const title = told.title ?? text('linkOpened');
  const codes = [...(told.codes ?? []), ...call];
  return { tone: 'neutral', lines: [], ...told, title, codes };
}

/** The API's own words, each once. */
function codesOf(...codes: readonly (string | null | undefined)[]): string[] {
  return [...new Set(codes)].flatMap((code) => (code ? [html`<code>${code}</code>`] : []));
}

function tellHistory(
  visit: Visit,
  shown: RequestDetails,
  entry: TimelineEntry,
): Partial<ShownEntry> {
  const { language, currency } = visit;
  const { text } = TIMELINE_TEXTS[language];
  const amount = (cents: number) => ({ amount: localizedAmount(language, cents, currency) });
  switch (entry.type) {
    case 'STATUS_CHANGED': {
      const { status, cause, reasonCode } = entry.details;
      return {
        title: text(`status.${status}`),
        tone: toneOf(`request.${status}`),
        lines: reasonCode ? [html`${REASON_TEXTS[language].text(`payment.${reasonCode}`)}`] : [],
        codes: codesOf(status, cause, reasonCode),
      };
    }
    case 'LINK_OPENED':
      return {};
    case 'PAYER_STEP':
      return { title: text(`step.${entry.details.step as PayerStep}`) };
    case 'CANCELLATION_REQUESTED': {
      const { requestedBy, reason, comment } = entry.details;
      return {
        title: text('cancelAsked'),
        lines: [
          ...(requestedBy ? [html`${text('byOperator')}`] : []),
          ...(reason ? [html`${reasonWord(language, reason)}`] : []),
          ...(comment ? [html`“${comment}”`] : []),
        ],
        codes: codesOf(reason),
      };
    }
    case 'UPDATED': {
      const names = entry.details.fields as readonly ChangeableField[];
      const fields = names.map((name) => text(`field.${name}`)).join(', ');
      const lines = [html`${text('fields', { fields })}`];
      return { title: text('updated'), lines, codes: codesOf(...names) };
    }
    case 'PART_RECEIVED': {
      const { amountCents, receivedCents } = entry.details;
      const lines = [html`${text('partSum', amount(receivedCents))}`];
      return { title: text('partReceived', amount(amountCents)), tone: 'warning', lines };
    }
    case 'MONEY_RETURNED': {
      const { amountCents, reason } = entry.details;
      const title = text('moneyReturned', amount(amountCents));
      return { title, tone: 'bad', codes: codesOf(reason) };
    }
    case 'REFUND_CHANGED':
      return refundWords(visit, entry.details);
    case 'MESSAGE_CHANGED':
      return messageWords(visit, entry.details);
    case 'CASE_SETTLED': {
      const { kind, settlement } = entry.details;
      const word = CASE_STATES[language].text(`state.${settlement as Settlement}`);
      return {
        title: text('caseSettled', { settlement: word }),
        lines: [html`${CASE_TEXTS[language].text(`name.${kind}`)}`],
        codes: codesOf(settlement, kind),
      };
    }
    case 'SANDBOX_NOTE':
      return { title: text('note'), tone: 'warning', lines: [html`${entry.details.message}`] };
    case 'WEBHOOK_ATTEMPTED':
      return attemptWords(visit, shown, entry.details);
  }
}

/** The reason of a cancellation, which the statement reads from the table of reasons. */
export function reasonWord(language: Visit['language'], reason: string): string {
  return REQUEST_TEXTS[language].text(`reason.${reason as CancellationReason}`);
}

type MessageChange = Extract<TimelineEntry, { type: 'MESSAGE_CHANGED' }>['details'];

function messageWords(
  visit: Visit,
  { kind, channel, status, reason }: MessageChange,
): Partial<ShownEntry> {
  const { language } = visit;
  const why = reasonOf(visit, { status, reason });
  return {
    title: MESSAGE_TEXTS[language].text('change', {
      message: messageName(language, { kind, channel }),
      status: statusWord(language, `message.${status}`).toLowerCase(),
    }),
    tone: toneOf(`message.${status}`),
    lines: why ? [html`${why}`] : [],
    codes: codesOf(kind, channel, status, reason),
  };
}

type RefundChange = Extract<TimelineEntry, { type: 'REFUND_CHANGED' }>['details'];

function refundWords(
  { language, currency }: Visit,
  { refundId, amountCents, status: stored, reasonCode }: RefundChange,
): Partial<ShownEntry> {
  const { text, rich } = TIMELINE_TEXTS[language];
  // The statement reads both from the tables of refunds.
  const [status, code] = [stored as RefundStatus, reasonCode as RefundReasonCode | null];
  return {
    title: text(`refund.${status}`, { amount: localizedAmount(language, amountCents, currency) }),
    tone: toneOf(`refund.${status}`),
    lines: code ? [html`${REASON_TEXTS[language].text(`refund.${code}`)}`] : [],
    codes: [...codesOf(status, code), rich('refundId', { id: refundId })],
  };
}

type Attempt = Extract<TimelineEntry, { type: 'WEBHOOK_ATTEMPTED' }>['details'];

function attemptWords(
  visit: Visit,
  { events }: RequestDetails,
  attempt: Attempt,
): Partial<ShownEntry> {
  const { text } = TIMELINE_TEXTS[visit.language];
  const { eventType: type, attempt: number, outcome, httpStatus, durationMs: ms, url } = attempt;
  const answer =
    httpStatus === null
      ? text('attemptNoAnswer', { ms: String(ms) })
      : text('attemptAnswer', { status: String(httpStatus), ms: String(ms) });
  return {
    title: text('attempt', { type: eventWord(visit.language, type), attempt: number }),
    tone: outcome === 'SUCCEEDED' ? 'good' : 'bad',
    lines: [
      html`<strong>${OUTCOME_TEXTS[visit.language].text(outcome)}</strong> ${answer}.`,
      html`<code>${url}</code>`,
    ],
    details: attemptDetails(visit, attempt, events.get(attempt.eventId)),
  };
}

function eventWords(
  visit: Visit,
  { event, urls }: Extract<RequestEntry, { kind: 'EVENT' }>,
): ShownEntry {
  const { text } = TIMELINE_TEXTS[visit.language];
  const { id, eventType, sequence, body, isErased, isWithheld } = event;
  const nobody = text(isWithheld ? 'eventWithheld' : 'eventNobody');
  const line = urls === 0 ? nobody : text('eventUrls', { sequence, count: urls });
  return {
    title: text('event', { type: eventWord(visit.language, eventType) }),
    tone: urls === 0 ? 'warning' : 'neutral',
    lines: [html`${line}`, ...(isErased ? [html`${text('eventErased')}`] : [])],
    codes: [html`<code>${eventType}</code>`],
    details: html`<details class="exchange" id="event-${id}"><summary>${text('eventBody')}</summary>
<pre class="wrap"><code>${body}</code></pre></details>`,
  };
}

function movementWords(
  visit: Visit,
  movement: Extract<RequestEntry, { kind: 'MOVEMENT' }>['movement'],
): ShownEntry {
  const { text, rich } = TIMELINE_TEXTS[visit.language];
  const { amountCents, type, networkReference, bankReference, bookingDate } = movement;
  const amount = localizedAmount(visit.language, amountCents, visit.currency);
  const bookedOn = bookingDate && shownDate(visit.language, bookingDate, 'medium');
  return {
    title: text('movement', { amount, type: MONEY_WORDS[visit.language].text(`type.${type}`) }),
    tone: amountCents > 0 ? 'good' : 'neutral',
    lines: [
      ...(networkReference ? [rich('networkReference', { reference: networkReference })] : []),
      ...(bankReference ? [rich('bankReference', { reference: bankReference })] : []),
      ...(bookedOn ? [html`${text('bookingDate', { date: bookedOn })}`] : []),
    ],
    codes: [html`<code>${type}</code>`],
  };
}

/** The entry is for those who read the audit log. Operators are identified to operators alone. */
export function actWords(visit: Visit, act: StoredAuditEntry): ShownEntry {
  const { text, rich } = TIMELINE_TEXTS[visit.language];
  const { action, details } = act;
  const isOperator = visit.can('operator.audit.read');
  const actor = isOperator ? act.actor : actorForMerchant(act.actor);
  const shown = JSON.stringify({ actor, ...details }, null, 1);
  return {
    title: actSentence(visit, { actor, action, details }),
    tone: 'neutral',
    lines: [],
    codes: [rich('actCode', { action })],
    ...(visit.can('audit.read') && {
      details: html`<details class="exchange"><summary>${text('actDetails')}</summary>
<pre class="wrap"><code>${shown}</code></pre></details>`,
    }),
  };
}

/** The request of an attempt with the answer, closed until a person opens it. */
function attemptDetails(
  visit: Visit,
  attempt: WebhookAttempt,
  event: SentEvent | undefined,
): string {
  const { text } = TIMELINE_TEXTS[visit.language];
  const request = event ? sent(visit, attempt, event) : html`<p>${text('sentGone')}</p>`;
  return html`<details class="exchange"><summary>${text('attemptDetails')}</summary>
<h3>${text('sentHead')}</h3>!${request}
<h3>${text('answer')}</h3>!${answered(visit, attempt)}</details>`;
}

function sent({ language }: Visit, attempt: WebhookAttempt, event: SentEvent): string {
  const { text } = TIMELINE_TEXTS[language];
  const { id, body, traceparent } = event;
  const { url, startedAt } = attempt;
  const target = URL.parse(url);
  const lines = Object.entries(shownHeaders({ id, body, traceparent, url, startedAt }));
  const head = [
    `POST ${target ? target.pathname + target.search : url} HTTP/1.1`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
  ];
  const bytes = Buffer.byteLength(body);
  return html`<pre class="wrap"><code>${head.join('\n')}</code></pre>
<p><a href="#event-${id}">${text('sentBody', { bytes })}</a></p>
<p class="small">${text('sentNote')}</p>`;
}

function answered({ language }: Visit, { httpStatus, responseBody }: WebhookAttempt): string {
  const { text } = TIMELINE_TEXTS[language];
  const status = httpStatus === null ? '' : html`<p><code>HTTP ${httpStatus}</code></p>`;
  if (responseBody === null) return html`!${status}<p class="small">${text('answerNone')}</p>`;
  return html`!${status}<pre class="wrap"><code>${shownExcerpt(responseBody)}</code></pre>
<p class="small">${text('answerCut')}</p>`;
}
