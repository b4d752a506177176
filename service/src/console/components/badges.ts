import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { upperFirst } from '#lib/words/upper-first.ts';
import type { MessageStatus } from '#payment-requests/model/messages/link-message.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { isUnfinished, type Status } from '#payment-requests/model/statuses.ts';
import type { RefundStatus } from '#refunds/model/statuses.ts';
import type {
  EndpointHealth,
  HealthState,
  LastAnswer,
} from '#webhooks/inspection/read-endpoint-health.ts';
import type { DeliveryStatus, WebhookDelivery } from '#webhooks/model/delivery.ts';
import type { WebhookEventType } from '#webhooks/model/event-types.ts';
import { amountText, shownDuration, shownNumber } from './values.ts';

/** States of things: docs/design.md says which word has which. */
export const TONES = ['good', 'info', 'warning', 'bad', 'neutral'] as const;
export type Tone = (typeof TONES)[number];

/** A word with a colour; the word alone carries the meaning. Several words are a `long` badge. */
export function badge(word: string, tone: Tone): string {
  return html`<span class="badge ${tone}!${word.includes(' · ') ? ' long' : ''}">${word}</span>`;
}

/** A badge with the reason of its state behind it; null: the state needs none. */
export function badgeWithReason(shown: string, reason: string | null): string {
  return shown + (reason === null ? '' : html`<span class="reason">${reason}</span>`);
}

/** A number beside a word, such as the cases that wait. */
export function countBadge(count: string, tone: Tone = 'neutral'): string {
  return html`<span class="count ${tone}">${count}</span>`;
}

/** A status of each kind of thing that has one; French words follow the gender of the thing. */
export type ShownStatus =
  | `request.${Status}`
  | `refund.${RefundStatus}`
  | `message.${MessageStatus}`
  | `delivery.${DeliveryStatus}`;

export const STATUS_TEXTS = pageTexts('console.statuses');
const EVENT_TYPE_TEXTS = pageTexts('console.event-types');

/** The word of a status, the same on every page. */
export function statusWord(language: ConsoleLanguage, status: ShownStatus): string {
  return STATUS_TEXTS[language].text(status);
}

/** The kinds of things that have a status. */
export type StatusKind = ShownStatus extends `${infer Kind}.${string}` ? Kind : never;

/** The words of an event's type, as it is stored. */
export function eventWord(language: ConsoleLanguage, type: string): string {
  return EVENT_TYPE_TEXTS[language].text(`type.${type as WebhookEventType}`);
}

/** The words of an event's type, where they stand alone. */
export function eventTitle(language: ConsoleLanguage, type: string): string {
  return upperFirst(eventWord(language, type));
}

/** The states of things, by the tone of their badges. */
const STATES = {
  good: [
    ...(['PAID', 'COMPLETED', 'SENT', 'DELIVERED', 'SUCCEEDED', 'ACTIVE', 'WELL', 'LIVE'] as const),
    ...(['TAKEN', 'COMPLETE', 'MATCHED', 'EXECUTED', 'ACCEPTED', 'ASSIGNED', 'REFUNDED'] as const),
    ...(['REPLACED', 'SPLIT'] as const),
  ],
  info: ['CREATED', 'PROCESSING', 'SCHEDULED', 'PENDING', 'RELEASED'],
  warning: [
    ...(['SUPPRESSED', 'SHAKY', 'WAITING', 'UNAPPROVED', 'RECEIVED', 'STAGED', 'CASE'] as const),
    ...(['OPEN', 'APPROVED', 'RUNNING', 'SENDING', 'PART'] as const),
  ],
  bad: ['FAILED', 'BOUNCED', 'EXHAUSTED', 'FAILING', 'UNCLEAR', 'REFUSED'],
  neutral: [
    ...(['EXPIRED', 'CANCELLED', 'REVOKED', 'PAUSED', 'OTHER', 'ANNOUNCED', 'CLOSED'] as const),
    ...(['OVERTAKEN', 'DECLINED', 'WITHDRAWN', 'ENDED'] as const),
  ],
} as const satisfies Readonly<Record<Tone, readonly string[]>>;
type State = (typeof STATES)[Tone][number];
const TONE_OF = new Map(
  TONES.flatMap((tone) => STATES[tone].map((state) => [state as string, tone] as const)),
);

/** The tone of a state, alone or with its kind; a state that has none does not compile. */
export function toneOf(state: State | `${StatusKind}.${State}`): Tone {
  return TONE_OF.get(state.slice(state.indexOf('.') + 1)) ?? 'neutral';
}

/**
 * The status of a payment request, refund, delivery or endpoint; programs read the API's word.
 *
 * @param retried why the thing is tried again, or empty where the reason stands beside it; null: it
 *   is not
 */
export function statusBadge(
  { language }: Pick<Visit, 'language'>,
  status: ShownStatus,
  retried: string | null = null,
): string {
  const [, apiWord = ''] = status.split('.');
  const retrying = [STATUS_TEXTS[language].text('retrying'), retried].filter(Boolean).join(' · ');
  const word = retried === null ? statusWord(language, status) : retrying;
  const tone = retried === null ? toneOf(status) : 'warning';
  return html`<span class="badge ${tone}" data-status="${apiWord}">${word}</span>`;
}

/** The status of a delivery; one that waits after a failure says which. */
export function deliveryBadge(
  visit: Pick<Visit, 'language'>,
  { status, last }: Pick<WebhookDelivery, 'status' | 'last'>,
): string {
  const isRetried = status === 'PENDING' && last !== null && last.outcome !== 'SUCCEEDED';
  const why = isRetried ? answerWord(visit.language, last) : null;
  return statusBadge(visit, `delivery.${status}`, why);
}

/** The status of a payment request, with the money that one without a payment holds. */
export function requestBadge(visit: Visit, p: PaymentRequest): string {
  const { status, payment, amountCents } = p;
  const held = heldCents(p);
  if (payment || held <= 0) return statusBadge(visit, `request.${status}`);
  const { text } = STATUS_TEXTS[visit.language];
  const amount = amountText(visit, held);
  const whole = amountText(visit, amountCents);
  const shown = isUnfinished(status)
    ? html`<span class="badge warning" data-status="${status}">${text('request.part')}</span>`
    : statusBadge(visit, `request.${status}`);
  return html`!${shown} <span class="small">${text('part', { amount, whole })}</span>`;
}

const TEXTS = pageTexts('console.health-badge');

/** How an endpoint, a destination or a delivery stands, with the reason. */
export interface ShownHealth {
  readonly state: HealthState;
  /** The last answer that was no success, such as `HTTP 500`. */
  readonly answer?: string | null;
  /** The first failure since the last success. */
  readonly since?: Date | null;
  /** Deliveries that wait. */
  readonly waiting?: number;
  /** More deliveries than `waiting` may wait. */
  readonly isWaitingCut?: boolean;
}

type Place = Pick<Visit, 'language' | 'now'>;

/** A badge such as `Failing · HTTP 500 · 29 min · 225 waiting`. */
export function healthBadge(
  { language, now }: Place,
  { state, answer, since, waiting = 0, isWaitingCut }: ShownHealth,
): string {
  const { text } = TEXTS[language];
  const seconds = since ? Math.max(0, (now.getTime() - since.getTime()) / 1000) : null;
  const parts = [
    text(state),
    answer,
    seconds === null ? null : shownDuration(language, seconds),
    waiting > 0 &&
      text('waiting', { count: shownNumber(language, waiting) + (isWaitingCut ? '+' : '') }),
  ];
  return badge(parts.filter(Boolean).join(' · '), toneOf(state));
}

/** The badge of an endpoint; the answer of one that is well is no reason. */
export function endpointBadge(
  visit: Place,
  { state, answer, openedAt, pending, isPendingCut }: EndpointHealth,
): string {
  if (state === 'WELL' && answer === null)
    return badge(TEXTS[visit.language].text('unused'), 'neutral');
  const isReason = state !== 'WELL' && answer !== null && answer.outcome !== 'SUCCEEDED';
  return healthBadge(visit, {
    state,
    answer: isReason ? answerWord(visit.language, answer) : null,
    since: openedAt,
    waiting: pending,
    isWaitingCut: isPendingCut,
  });
}

type Answer = Pick<LastAnswer, 'outcome' | 'httpStatus'>;

/** Whether an attempt took too long, reached nobody, or was answered. */
export function answerKind({ outcome, httpStatus }: Answer) {
  if (outcome.endsWith('TIMED_OUT')) return 'timeout';
  return httpStatus === null ? 'connection' : 'http';
}

/** The result of an attempt in two words: `HTTP 500`, `Timeout`, `No connection`. */
export function answerWord(language: ConsoleLanguage, answer: Answer): string {
  const kind = answerKind(answer);
  return kind === 'http' ? `HTTP ${answer.httpStatus}` : TEXTS[language].text(kind);
}

/** The result of an attempt, with the colour of a success or a failure. */
export function answerBadge(language: ConsoleLanguage, answer: Answer): string {
  return badge(answerWord(language, answer), answer.outcome === 'SUCCEEDED' ? 'good' : 'bad');
}
