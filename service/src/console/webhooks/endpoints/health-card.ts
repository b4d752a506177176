import { html } from 'ghtml';
import { facts } from '#console/components/facts.ts';
import { answerBadge } from '#console/components/health-badge.ts';
import { instant } from '#console/components/instant.ts';
import { relativeTime } from '#console/components/relative-time.ts';
import type { Visit } from '#console/shell/visit.ts';
import { shownExcerpt } from '#webhooks/https/answer-excerpt.ts';
import type { EndpointHealth } from '#webhooks/inspection/read-endpoint-health.ts';
import { countdown } from '../countdown.ts';
import { OUTCOME_TEXTS } from '../outcome-texts.ts';
import { merchantHref } from '../paths.ts';
import { ENDPOINT_TEXTS } from './texts.ts';

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
