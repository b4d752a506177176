import { html } from 'ghtml';
import { personOfActor } from '#audit/person-of-actor.ts';
import { toneOf } from '#console/components/status-badge.ts';
import type { TimelineItem } from '#console/components/timeline.ts';
import type { Visit } from '#console/shell/visit.ts';
import { OUTCOME_TEXTS } from '#console/webhooks/outcome-texts.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { StoredAuditEntry } from '#merchants/audit-log-store.ts';
import type { TimelineEntry } from '#payment-requests/timeline/read-timeline.ts';
import { attemptDetails } from './attempt-details.ts';
import type { RequestDetails } from './read-details.ts';
import type { RequestEntry } from './timeline-entry.ts';

const TIMELINE_TEXTS = pageTexts('console.payment-requests.timeline');

/** An entry as the page shows it. */
export type ShownEntry = Omit<TimelineItem, 'when'>;

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
  return { tone: 'neutral', ...told, title, lines: [...(told.lines ?? []), ...call] };
}

function tellHistory(
  visit: Visit,
  shown: RequestDetails,
  entry: TimelineEntry,
): Partial<ShownEntry> {
  const { text, rich } = TIMELINE_TEXTS[visit.language];
  const amount = (cents: number) => localizedAmount(visit.language, cents, visit.currency);
  switch (entry.type) {
    case 'STATUS_CHANGED': {
      const { status, cause, reasonCode } = entry.details;
      return {
        title: text('status', { status }),
        tone: toneOf(`request.${status}`),
        lines: [
          ...(cause === status ? [] : [rich('cause', { cause })]),
          ...(reasonCode ? [rich('reason', { reason: reasonCode })] : []),
        ],
      };
    }
    case 'LINK_OPENED':
      return {};
    case 'PAYER_STEP':
      return { title: stepTitle(visit, entry.details.step) };
    case 'CANCELLATION_REQUESTED': {
      const { requestedBy, reason, comment } = entry.details;
      return {
        title: text('cancelAsked'),
        lines: [
          ...(requestedBy ? [html`${text('byOperator')}`] : []),
          ...(reason ? [rich('reason', { reason })] : []),
          ...(comment ? [html`“${comment}”`] : []),
        ],
      };
    }
    case 'UPDATED': {
      const fields = entry.details.fields.join(', ');
      return { title: text('updated'), lines: [rich('fields', { fields })] };
    }
    case 'PART_RECEIVED': {
      const { amountCents, receivedCents } = entry.details;
      const lines = [html`${text('partSum', { amount: amount(receivedCents) })}`];
      const title = text('partReceived', { amount: amount(amountCents) });
      return { title, tone: 'warning', lines };
    }
    case 'MONEY_RETURNED': {
      const { amountCents, reason } = entry.details;
      const lines = reason ? [rich('reason', { reason })] : [];
      return { title: text('moneyReturned', { amount: amount(amountCents) }), tone: 'bad', lines };
    }
    case 'REFUND_CHANGED': {
      const { refundId, amountCents, status, reasonCode } = entry.details;
      const reason = reasonCode ? [rich('reason', { reason: reasonCode })] : [];
      return {
        title: text('refund', { amount: amount(amountCents), status }),
        tone: status === 'FAILED' ? 'bad' : 'neutral',
        lines: [rich('refundId', { id: refundId }), ...reason],
      };
    }
    case 'CASE_SETTLED': {
      const { kind, settlement } = entry.details;
      return { title: text('caseSettled', { settlement }), lines: [rich('caseKind', { kind })] };
    }
    case 'SANDBOX_NOTE':
      return { title: text('note'), tone: 'warning', lines: [html`${entry.details.message}`] };
    case 'WEBHOOK_ATTEMPTED':
      return attemptWords(visit, shown, entry.details);
  }
}

function stepTitle({ language }: Visit, step: string): string {
  const { text } = TIMELINE_TEXTS[language];
  switch (step) {
    case 'TRANSFER_SENT':
    case 'INSTITUTION_CHOSEN':
    case 'SIGN_IN_FAILED':
    case 'SIGNED_IN':
    case 'CONFIRMED':
    case 'INSTITUTION_REFUSED':
    case 'DECLINED':
      return text(`step.${step}`);
    default:
      return text('payerStep', { step });
  }
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
    title: text('attempt', { type, attempt: number }),
    tone: outcome === 'SUCCEEDED' ? 'good' : 'bad',
    lines: [
      html`<strong>${OUTCOME_TEXTS[visit.language].text(outcome)}</strong> ${answer}.`,
      html`<code>${url}</code>`,
    ],
    details: attemptDetails(visit, attempt, events.get(attempt.eventId)),
  };
}

function eventWords(
  { language }: Visit,
  { event, urls }: Extract<RequestEntry, { kind: 'EVENT' }>,
): ShownEntry {
  const { text } = TIMELINE_TEXTS[language];
  const { id, eventType: type, sequence, body, isErased, isWithheld } = event;
  const nobody = text(isWithheld ? 'eventWithheld' : 'eventNobody');
  const line = urls === 0 ? nobody : text('eventUrls', { sequence, count: urls });
  return {
    title: text('event', { type }),
    tone: urls === 0 ? 'warning' : 'neutral',
    lines: [html`${line}`, ...(isErased ? [html`${text('eventErased')}`] : [])],
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
  return {
    title: text('movement', { amount, type }),
    tone: amountCents > 0 ? 'good' : 'neutral',
    lines: [
      ...(networkReference ? [rich('networkReference', { reference: networkReference })] : []),
      ...(bankReference ? [rich('bankReference', { reference: bankReference })] : []),
      ...(bookingDate ? [html`${text('bookingDate', { date: bookingDate })}`] : []),
    ],
  };
}

/** The full entry is for those who may read the audit log; others read who did it. */
function actWords(visit: Visit, { actor, action, details }: StoredAuditEntry): ShownEntry {
  const { text, rich } = TIMELINE_TEXTS[visit.language];
  const who = personOfActor(actor) ?? (actor === 'api' ? text('merchantItself') : text('operator'));
  const isReader = visit.can('audit.read');
  const shown = JSON.stringify(details, null, 1);
  return {
    title: actTitle(visit, who, action),
    tone: 'neutral',
    lines: [
      rich('actCode', { action }),
      ...(isReader ? [html`${text('actActor', { actor })}`] : []),
    ],
    ...(isReader && {
      details: html`<details class="exchange"><summary>${text('actDetails')}</summary>
<pre class="wrap"><code>${shown}</code></pre></details>`,
    }),
  };
}

function actTitle({ language }: Visit, who: string, action: StoredAuditEntry['action']): string {
  const { text } = TIMELINE_TEXTS[language];
  switch (action) {
    case 'PAYMENT_REQUEST_CANCELLED':
    case 'OUTCOME_SIMULATED':
    case 'WEBHOOK_REDELIVERED':
    case 'REFUND_FAILED':
    case 'OPERATOR_CASE_SETTLED':
    case 'PAYER_ERASED':
    case 'PAYER_ERASURE_WAITING':
      return text(`act.${action}`, { who });
    default:
      return text('act', { who, action });
  }
}
