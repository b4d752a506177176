import { html } from 'ghtml';
import { statusBadge } from '#console/components/badges.ts';
import { instant, relativeText } from '#console/components/values.ts';
import { button, renderForm } from '#console/forms/render-form.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { parseInstant } from '#lib/instant.ts';
import { upperFirst } from '#lib/words/upper-first.ts';
import type { SendAgainDeps } from '#messages/calls/send-again.ts';
import { type MessageKind, reachedAddress } from '#messages/model/kinds.ts';
import type { MessageAttempt, StoredMessage } from '#messages/model/message.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { isOpen } from '#payment-requests/model/statuses.ts';

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

type Ended = Pick<StoredMessage, 'status' | 'reason'> &
  Partial<Pick<StoredMessage, 'channel' | 'attemptLog' | 'dueAt' | 'nextAttemptAt'>>;

/** Whether an attempt failed, and another follows; the attempt that runs now has not failed. */
function isRetried({ status, attemptLog = [] }: Ended): boolean {
  return status === 'SCHEDULED' && attemptLog.length > 0;
}

/** The status of a message; the reason why it is tried again stands beside it. */
export function messageBadge(visit: Visit, message: StoredMessage): string {
  return statusBadge(visit, `message.${message.status}`, isRetried(message) ? '' : null);
}

/** Senders look twice a second: after a minute, something holds the message back. */
const LATE_MS = 60_000;

/** The reason why a message ended so, or has not left; null: the status says it. */
export function reasonOf(
  { language, now }: Pick<Visit, 'language' | 'now'>,
  message: Ended,
): string | null {
  const { text } = MESSAGE_TEXTS[language];
  const { status, reason, channel = 'EMAIL', attemptLog, dueAt = now, nextAttemptAt } = message;
  if (isRetried(message)) {
    const count = attemptLog?.length ?? 0;
    const next = nextAttemptAt ? relativeText({ language, now }, nextAttemptAt) : '';
    return text('tried', { count, channel, next });
  }
  if (status === 'SCHEDULED' && now.getTime() - dueAt.getTime() > LATE_MS)
    return text('late', { channel });
  return reason && reason !== status ? text(`reason.${reason}`) : null;
}

/** The time at which a message was sent, or is due. */
export function messageTime(visit: Visit, message: StoredMessage): string {
  const { text } = MESSAGE_TEXTS[visit.language];
  const { sentAt, dueAt, status } = message;
  const isDue = status === 'SCHEDULED' && !isRetried(message);
  if (sentAt) return html`${text('sent')} !${instant(visit, sentAt)}`;
  return html`${text(isDue ? 'due' : 'wasDue')} !${instant(visit, dueAt)}`;
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

/** The messages to the payer of a payment request, and the act that sends the link again. */
export function messageCard(
  visit: Visit,
  p: PaymentRequest,
  messages: readonly StoredMessage[],
  messaging: SendAgainDeps,
): string {
  const { text } = MESSAGE_TEXTS[visit.language];
  const form = sendForm(visit, p, messaging, messages.length > 0);
  if (messages.length === 0 && form === '') return '';
  const items = messages.map((message) => {
    const { id } = message;
    const reason = reasonOf(visit, message);
    const why = reason ? html`<p>${reason}</p>` : '';
    return html`<li><div><p class="what"><a href="/console/m/${visit.merchantId}/messages/${id}"
>${messageName(visit.language, message)}</a> !${messageBadge(visit, message)}</p>!${why}
<p class="small">!${messageTime(visit, message)}</p>!${attemptLog(visit, message)}</div></li>`;
  });
  const list = items.length > 0 ? `<ul class="deliveries">${items.join('')}</ul>` : '';
  const none = list === '' ? html`<p class="quiet">${text('none')}</p>` : list;
  return html`<section class="card" id="messages"><h2>${text('title')}</h2>!${none}!${form}
</section>`;
}

/** A button a channel on which the link can go to the payer now. */
function sendForm(
  visit: Visit,
  p: PaymentRequest,
  { channels, smsCountryCode }: SendAgainDeps,
  isAgain: boolean,
): string {
  const { text } = MESSAGE_TEXTS[visit.language];
  const possible = channels.filter((each) => reachedAddress(p, each, smsCountryCode) !== null);
  if (possible.length === 0 || !isOpen(p.status) || !visit.can('messages.send')) return '';
  const again = parseInstant(visit.query.get('again') ?? '');
  if (again && again > visit.now) {
    return html`<p class="notice bad" role="alert">${text('limit')} !${instant(visit, again)}</p>`;
  }
  const buttons = possible.map((value) =>
    button(text(isAgain ? `again.${value}` : `send.${value}`), {
      ...({ kind: 'quiet', name: 'channel', value } as const),
    }),
  );
  const action = `/m/${visit.merchantId}/payment-requests/${p.id}/messages`;
  return renderForm(visit, { action, items: [], buttons: buttons.join(' ') });
}
