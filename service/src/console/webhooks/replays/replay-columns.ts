import { html } from 'ghtml';
import { badge, type Tone } from '#console/components/badges.ts';
import { instant } from '#console/components/values.ts';
import { cell, code, count, text, time } from '#console/lists/columns.ts';
import { type ListSpec, listWords } from '#console/lists/list-spec.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { shareDone } from '#webhooks/replays/list-replays.ts';
import type { WebhookReplay } from '#webhooks/replays/replay-store.ts';
import { merchantHref } from '../paths.ts';

const REPLAY_TEXTS = pageTexts('console.webhooks.replays');
export const DELIVERY_WORDS = listWords('console.lists.deliveries');

/** `SENDING`: everything is found, and some of it still waits. */
export type ReplayPhase = WebhookReplay['status'] | 'SENDING';

export function phaseOf({ status, pending }: WebhookReplay): ReplayPhase {
  return status === 'COMPLETED' && pending > 0 ? 'SENDING' : status;
}

const TONES: Readonly<Record<ReplayPhase, Tone>> = {
  RUNNING: 'warning',
  SENDING: 'warning',
  COMPLETED: 'good',
  CANCELLED: 'neutral',
};

export function replayBadge({ language }: Visit, replay: WebhookReplay): string {
  const phase = phaseOf(replay);
  return badge(REPLAY_TEXTS[language].text(phase), TONES[phase]);
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
    started: time((replay) => replay.createdAt),
    status: cell((replay, visit) => replayBadge(visit, replay)),
    progress: text((replay, { language }) =>
      REPLAY_TEXTS[language].text('percent', { percent: percentDone(replay) }),
    ),
    span: cell(
      ({ fromAt, toAt }, visit) => html`!${instant(visit, fromAt)}<br>!${instant(visit, toAt)}`,
    ),
    only: text((replay, visit) => wantedOf(visit, replay)),
    completed: time((replay) => replay.completedAt),
    examined: count((replay) => replay.examined),
    queued: count((replay) => replay.queued),
    endpoint: code((replay) => replay.endpointId),
    id: code((replay) => replay.id),
  },
  usual: 5,
  rowAddress: ({ id, endpointId }, visit) =>
    merchantHref(visit, 'endpoints', endpointId, 'replays', id),
};
