import { html } from 'ghtml';
import { badge, type Tone } from '#console/components/badge.ts';
import { instant } from '#console/components/instant.ts';
import { table } from '#console/components/table.ts';
import type { Visit } from '#console/shell/visit.ts';
import { shareDone } from '#webhooks/replays/list-replays.ts';
import type { WebhookReplay } from '#webhooks/replays/replay-store.ts';
import { merchantHref } from '../paths.ts';
import { REPLAY_TEXTS } from './texts.ts';

/** `SENDING`: everything is found, and some of it still waits. */
export type ReplayPhase = WebhookReplay['status'] | 'SENDING';

export function phaseOf({ status, pending }: WebhookReplay): ReplayPhase {
  return status === 'COMPLETED' && pending > 0 ? 'SENDING' : status;
}

const TONES: Readonly<Record<ReplayPhase, Tone>> = {
  RUNNING: 'wait',
  SENDING: 'wait',
  COMPLETED: 'good',
  CANCELLED: 'plain',
};

export function replayBadge({ language }: Visit, replay: WebhookReplay): string {
  const phase = phaseOf(replay);
  return badge(REPLAY_TEXTS[language].text(phase), TONES[phase]);
}

/** Whole percents; 100 only at the end. */
export function percentDone(replay: WebhookReplay): number {
  return Math.floor(shareDone(replay) * 100);
}

export function replayTable(visit: Visit, replays: readonly WebhookReplay[]): string {
  const { text } = REPLAY_TEXTS[visit.language];
  return table<WebhookReplay>(
    text('listTitle'),
    [
      {
        title: text('started'),
        isRowHeader: true,
        cell: ({ id, endpointId, createdAt }) =>
          html`<a href="${merchantHref(visit, 'endpoints', endpointId, 'replays', id)}"
>!${instant(visit, createdAt)}</a>`,
      },
      { title: text('status'), cell: (replay) => replayBadge(visit, replay) },
      {
        title: text('progress'),
        cell: (replay) => html`${text('percent', { percent: percentDone(replay) })}`,
      },
      {
        title: text('spanColumn'),
        cell: ({ fromAt, toAt }) => html`!${instant(visit, fromAt)}<br>!${instant(visit, toAt)}`,
      },
      {
        title: text('only'),
        cell: ({ onlyFailed }) => html`${text(onlyFailed ? 'onlyFailed' : 'everything')}`,
      },
    ],
    replays,
  );
}
