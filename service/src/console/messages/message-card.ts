import { html } from 'ghtml';
import { statusBadge } from '#console/components/badges.ts';
import { instant } from '#console/components/values.ts';
import { button, renderForm } from '#console/forms/render-form.ts';
import type { Visit } from '#console/shell/visit.ts';
import { parseInstant } from '#lib/instant.ts';
import type { SendAgainDeps } from '#messages/calls/send-again.ts';
import { reachedAddress } from '#messages/model/kinds.ts';
import type { StoredMessage } from '#messages/model/message.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { isOpen } from '#payment-requests/model/statuses.ts';
import { attemptLog, MESSAGE_TEXTS, messageName, messageTime, reasonOf } from './message-parts.ts';

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
    const { id, status } = message;
    const reason = reasonOf(visit.language, message);
    const why = reason ? html`<p>${reason}</p>` : '';
    return html`<li><div><p class="what"><a href="/console/m/${visit.merchantId}/messages/${id}"
>${messageName(visit.language, message)}</a> !${statusBadge(visit, `message.${status}`)}</p>!${why}
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
