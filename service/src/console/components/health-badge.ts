import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { HealthState } from '#webhooks/inspection/read-endpoint-health.ts';
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

/** A badge such as `Failing · HTTP 500 · 29 min · 225 waiting`. */
export function healthBadge(
  { language, now }: Pick<Visit, 'language' | 'now'>,
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
