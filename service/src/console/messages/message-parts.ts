import { html } from 'ghtml';
import { instant } from '#console/components/values.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { upperFirst } from '#lib/words/upper-first.ts';
import type { MessageKind } from '#messages/model/kinds.ts';
import type { MessageAttempt, StoredMessage } from '#messages/model/message.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';

export const MESSAGE_TEXTS = pageTexts('console.messages');

type Language = Visit['language'];

export function kindWord(language: Language, kind: string): string {
  return MESSAGE_TEXTS[language].text(`kind.${kind as MessageKind}`);
}

/** The word of a channel, where it stands alone. */
export function channelWord(language: Language, channel: string): string {
  return upperFirst(MESSAGE_TEXTS[language].text(`channel.${channel as Channel}`));
}

/** The kind of a message with its channel: “Payment link by e-mail”. */
export function messageName(
  language: Language,
  { kind, channel }: { readonly kind: string; readonly channel: string },
): string {
  const { text } = MESSAGE_TEXTS[language];
  const word = text(`channel.${channel as Channel}`);
  return text('name', { message: kindWord(language, kind), channel: word });
}

/** The reason why a message ended so; null: the status says it. */
export function reasonOf(
  language: Language,
  { status, reason }: Pick<StoredMessage, 'status' | 'reason'>,
): string | null {
  return reason && reason !== status ? MESSAGE_TEXTS[language].text(`reason.${reason}`) : null;
}

/** The time at which a message was sent, or is due. */
export function messageTime(visit: Visit, { sentAt, dueAt, status }: StoredMessage): string {
  const { text } = MESSAGE_TEXTS[visit.language];
  if (sentAt) return html`${text('sent')} !${instant(visit, sentAt)}`;
  return html`${text(status === 'SCHEDULED' ? 'due' : 'wasDue')} !${instant(visit, dueAt)}`;
}

/** The attempts of the last 90 days, closed until a person opens them. */
export function attemptLog(visit: Visit, { attemptLog: log }: StoredMessage): string {
  if (log.length === 0) return '';
  const { text } = MESSAGE_TEXTS[visit.language];
  const at = (time: string) => instant(visit, new Date(time));
  const items = log.map(({ readDateTime, endDateTime, outcome }: MessageAttempt) => {
    const read = readDateTime ? html`${text('read')} !${at(readDateTime)}, ` : '';
    return html`<li>!${read}${text('ended')} !${at(endDateTime)} <code>${outcome}</code></li>`;
  });
  const count = text('attempts', { count: log.length });
  return html`<details class="exchange"><summary>${count}</summary>
<ul class="plain small">!${items.join('')}</ul></details>`;
}
