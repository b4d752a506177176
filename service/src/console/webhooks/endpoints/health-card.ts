import { html } from 'ghtml';
import { badge, type Tone } from '#console/components/badge.ts';
import { facts } from '#console/components/facts.ts';
import { instant } from '#console/components/instant.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { EndpointHealth, HealthState } from '#webhooks/inspection/read-endpoint-health.ts';
import { countdown } from '../countdown.ts';
import { ENDPOINT_TEXTS } from './texts.ts';

const LOOKS: Readonly<
  Record<HealthState, readonly [Tone, 'WELL' | 'SHAKY' | 'FAILING' | 'paused']>
> = {
  WELL: ['good', 'WELL'],
  SHAKY: ['wait', 'SHAKY'],
  FAILING: ['bad', 'FAILING'],
  PAUSED: ['plain', 'paused'],
};

/** How an endpoint stands: its circuit breaker, and the oldest delivery that is due. */
export function healthCard(visit: Visit, health: EndpointHealth): string {
  const { text } = ENDPOINT_TEXTS[visit.language];
  const { failures, openedAt, nextProbeAt, pending, isPendingCut, oldestDueAt, state } = health;
  const [tone, key] = LOOKS[state];
  const waiting = text(isPendingCut ? 'atLeast' : 'count', { count: pending });
  const probe = nextProbeAt && countdown(visit, nextProbeAt, (left) => text('left', { left }));
  const list = facts([
    failures > 0 ? [text('failures'), html`${failures}`] : null,
    openedAt ? [text('openedAt'), instant(visit, openedAt)] : null,
    nextProbeAt ? [text('nextProbe'), `${instant(visit, nextProbeAt)} · ${probe}`] : null,
    [text('waiting'), html`${waiting}`],
    [text('oldest'), oldestDueAt ? instant(visit, oldestDueAt) : html`${text('nothingDue')}`],
  ]);
  return html`<section class="card"><h2>${text('health')}</h2><p>!${badge(text(key), tone)}</p>
!${list}</section>`;
}
