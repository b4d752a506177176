import { html } from 'ghtml';
import { facts } from '#console/components/facts.ts';
import { healthBadge } from '#console/components/health-badge.ts';
import { instant } from '#console/components/instant.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { EndpointHealth } from '#webhooks/inspection/read-endpoint-health.ts';
import { countdown } from '../countdown.ts';
import { ENDPOINT_TEXTS } from './texts.ts';

/** How an endpoint stands: its circuit breaker, and the oldest delivery that is due. */
export function healthCard(visit: Visit, health: EndpointHealth): string {
  const { text } = ENDPOINT_TEXTS[visit.language];
  const { failures, openedAt, nextProbeAt, pending, isPendingCut, oldestDueAt, state } = health;
  const shown = { state, since: openedAt, waiting: pending, isWaitingCut: isPendingCut };
  const waiting = text(isPendingCut ? 'atLeast' : 'count', { count: pending });
  const probe = nextProbeAt && countdown(visit, nextProbeAt, (left) => text('left', { left }));
  const list = facts([
    failures > 0 ? [text('failures'), html`${failures}`] : null,
    openedAt ? [text('openedAt'), instant(visit, openedAt)] : null,
    nextProbeAt ? [text('nextProbe'), `${instant(visit, nextProbeAt)} · ${probe}`] : null,
    [text('waiting'), html`${waiting}`],
    [text('oldest'), oldestDueAt ? instant(visit, oldestDueAt) : html`${text('nothingDue')}`],
  ]);
  return html`<section class="card"><h2>${text('health')}</h2><p>!${healthBadge(visit, shown)}</p>
!${list}</section>`;
}
