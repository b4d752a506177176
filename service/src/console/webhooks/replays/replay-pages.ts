import { html } from 'ghtml';
import { facts } from '#console/components/parts.ts';
import { instant } from '#console/components/values.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import type { WebhookReplay } from '#webhooks/replays/replay-store.ts';
import { readReplay } from '#webhooks/replays/start-replay.ts';
import type { WebhookPagesDeps } from '../deps.ts';
import { merchantHref } from '../paths.ts';
import { refreshed } from '../refreshed.ts';
import { percentDone, phaseOf, replayBadge, wantedOf } from './replay-columns.ts';
import { REPLAY_TEXTS } from './texts.ts';

/** A replay with its progress: the state is in the database, so that a reload goes on with it. */
export async function showReplay({ db }: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = REPLAY_TEXTS[visit.language];
  const { merchantId, params } = visit;
  const { id = '', replay: replayId = '' } = params;
  const replay = await readReplay(db, merchantId, id, replayId);
  const isLive = ['RUNNING', 'SENDING'].includes(phaseOf(replay));
  const progress = progressOf(visit, replay) + (isLive ? reloadLink(visit, id, replayId) : '');
  const endpoint = merchantHref(visit, 'endpoints', id);
  const deliveries = `${merchantHref(visit, 'deliveries')}?endpointId=${id}`;
  return {
    title: text('title'),
    scripts: isLive ? ['console-refresh'] : [],
    body: html`<h1>${text('title')}</h1>!${refreshed('replay', progress, isLive)}
<p class="actions"><a class="button quiet" href="${endpoint}">${text('endpoint')}</a>
<a class="button quiet" href="${deliveries}">${text('deliveries')}</a></p>`,
  };
}

/** For browsers without scripts; it is gone as soon as nothing moves any more. */
function reloadLink(visit: Visit, id: string, replayId: string): string {
  const here = merchantHref(visit, 'endpoints', id, 'replays', replayId);
  const { text } = REPLAY_TEXTS[visit.language];
  return html`<p class="actions"><a class="button" href="${here}">${text('reload')}</a></p>`;
}

function progressOf(visit: Visit, replay: WebhookReplay): string {
  const { text } = REPLAY_TEXTS[visit.language];
  const { examined, queued, pending, fromAt, toAt, positionAt, completedAt } = replay;
  const percent = percentDone(replay);
  const span = `${instant(visit, fromAt)} – ${instant(visit, toAt)}`;
  return html`<section class="card"><p>!${replayBadge(visit, replay)}</p>
<p><label for="progress">${text('progressNow', { percent })}</label>
<progress id="progress" max="100" value="${percent}">${text('percent', { percent })}</progress></p>
<p>${text('sums', { examined, queued, pending })}</p></section>
!${facts([
    [text('spanColumn'), span],
    [text('only'), html`${wantedOf(visit, replay)}`],
    [text('examinedTo'), instant(visit, replay.status === 'COMPLETED' ? toAt : positionAt)],
    [text('started'), instant(visit, replay.createdAt)],
    [text('completed'), completedAt && instant(visit, completedAt)],
  ])}`;
}
