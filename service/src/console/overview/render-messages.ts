import { html } from 'ghtml';
import { shownNumber } from '#console/components/shown-values.ts';
import { tiles } from '#console/components/tile.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { MessageCounts } from '#messages/read/list-messages.ts';
import { listHref } from './render-figures.ts';
import { OVERVIEW_TEXTS } from './texts.ts';

/** A merchant's messages to payers; nothing where it sends none. */
export function messageCards(visit: Visit, { all, waiting, undelivered }: MessageCounts): string {
  if (all === 0) return '';
  const { text } = OVERVIEW_TEXTS[visit.language];
  const card = (name: 'messagesWaiting' | 'undelivered', count: number, query: object) => ({
    label: text(name),
    value: shownNumber(visit.language, count),
    href: listHref(visit, 'messages', { ...query }),
    tone: name === 'undelivered' && count > 0 ? ('warning' as const) : ('neutral' as const),
  });
  return html`<h2>${text('messages')}</h2>!${tiles([
    card('messagesWaiting', waiting, { status: 'SCHEDULED' }),
    card('undelivered', undelivered, { undelivered: 'yes' }),
  ])}`;
}
