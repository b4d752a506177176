import { html } from 'ghtml';
import { answerBadge } from '#console/components/badges.ts';
import { facts } from '#console/components/parts.ts';
import { instant, relativeTime, shownNumber } from '#console/components/values.ts';
import type { Visit } from '#console/shell/visit.ts';
import { countdown } from '#console/webhooks/countdown.ts';
import { OUTCOME_TEXTS } from '#console/webhooks/outcome-texts.ts';
import { merchantHref } from '#console/webhooks/paths.ts';
import { shownExcerpt } from '#webhooks/https/answer-excerpt.ts';
import type {
  EndpointHealth,
  HourOfDeliveries,
} from '#webhooks/inspection/read-endpoint-health.ts';
import { ENDPOINT_TEXTS } from './texts.ts';

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
