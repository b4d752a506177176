import type { Visit } from '#console/shell/visit.ts';
import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type {
  EndpointHealth,
  HealthState,
  LastAnswer,
} from '#webhooks/inspection/read-endpoint-health.ts';
import { badge, type Tone } from './badge.ts';
import { shownDuration, shownNumber } from './shown-values.ts';

const TEXTS = pageTexts('console.health-badge');

const TONES: Readonly<Record<HealthState, Tone>> = {
  WELL: 'good',
  SHAKY: 'warning',
  FAILING: 'bad',
  PAUSED: 'neutral',
};

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
  return badge(parts.filter(Boolean).join(' · '), TONES[state]);
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

/** The result of an attempt in two words: `HTTP 500`, `Timeout`, `No connection`. */
export function answerWord(
  language: ConsoleLanguage,
  { outcome, httpStatus }: Pick<LastAnswer, 'outcome' | 'httpStatus'>,
): string {
  const { text } = TEXTS[language];
  if (outcome.endsWith('TIMED_OUT')) return text('timeout');
  return httpStatus === null ? text('connection') : `HTTP ${httpStatus}`;
}

/** The result of an attempt, with the colour of a success or a failure. */
export function answerBadge(
  language: ConsoleLanguage,
  answer: Pick<LastAnswer, 'outcome' | 'httpStatus'>,
): string {
  return badge(answerWord(language, answer), answer.outcome === 'SUCCEEDED' ? 'good' : 'bad');
}
