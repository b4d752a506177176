import { html } from 'ghtml';
import { badge, toneOf } from '#console/components/badges.ts';
import { facts } from '#console/components/parts.ts';
import { instant, relativeTime } from '#console/components/values.ts';
import { show } from '#console/lists/columns.ts';
import { type ListSpec, listWords } from '#console/lists/list-spec.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import type { WebhookPagesDeps } from '#console/webhooks/deps.ts';
import { refreshed } from '#console/webhooks/page-parts.ts';
import { merchantHref } from '#console/webhooks/paths.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { shareDone } from '#webhooks/replays/list-replays.ts';
import type { WebhookReplay } from '#webhooks/replays/replay-store.ts';
import { readReplay } from '#webhooks/replays/start-replay.ts';

export const REPLAY_TEXTS = pageTexts('console.webhooks.replays');
export const DELIVERY_WORDS = listWords('console.lists.deliveries');

/** `SENDING`: everything is found, and some of it still waits. */
export type ReplayPhase = WebhookReplay['status'] | 'SENDING';

export function phaseOf({ status, pending }: WebhookReplay): ReplayPhase {
  return status === 'COMPLETED' && pending > 0 ? 'SENDING' : status;
}

export function replayBadge({ language }: Visit, replay: WebhookReplay): string {
  const phase = phaseOf(replay);
  return badge(REPLAY_TEXTS[language].text(phase), toneOf(phase));
}

/** Whole percents; 100 only at the end. */
export function percentDone(replay: WebhookReplay): number {
  return Math.floor(shareDone(replay) * 100);
}

/** Which events of its span a replay sends. */
export function wantedOf(
  { language }: Visit,
  { onlyFailed, lastAnswer, eventType }: WebhookReplay,
): string {
  const only = REPLAY_TEXTS[language].text(onlyFailed ? 'onlyFailed' : 'everything');
  const answer = lastAnswer && DELIVERY_WORDS(language).text(`option.${lastAnswer}`);
  return [only, answer, eventType].filter(Boolean).join(', ');
}

/** The columns of replays, on the page of an endpoint and in the list. */
export const REPLAYS: Pick<
  ListSpec<WebhookReplay>,
  'columns' | 'usual' | 'words' | 'rowAddress'
> = {
  words: listWords('console.lists.replays'),
  columns: {
    started: show.age((replay) => replay.createdAt),
    status: show.cell((replay, visit) => replayBadge(visit, replay)),
    progress: show.text((replay, { language }) =>
      REPLAY_TEXTS[language].text('percent', { percent: percentDone(replay) }),
    ),
    span: show.cell(
      ({ fromAt, toAt }, visit) => `${relativeTime(visit, fromAt)} – ${relativeTime(visit, toAt)}`,
    ),
    only: show.text((replay, visit) => wantedOf(visit, replay)),
    completed: show.age((replay) => replay.completedAt),
    examined: show.count((replay) => replay.examined),
    queued: show.count((replay) => replay.queued),
    endpoint: show.code((replay) => replay.endpointId),
    id: show.code((replay) => replay.id),
  },
  usual: 5,
  rowAddress: ({ id, endpointId }, visit) =>
    merchantHref(visit, 'endpoints', endpointId, 'replays', id),
};

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
