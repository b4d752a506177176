import { html } from 'ghtml';
import { statusBadge } from '#console/components/badges.ts';
import { copyField, copyStatus, facts } from '#console/components/parts.ts';
import { instant, mayNamePayer, requestName, requestPath } from '#console/components/values.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import type { KeptMessage } from '#messages/read/list-messages.ts';
import type { NamedRequest } from '#payment-requests/lookup/search-payment-requests.ts';
import { attemptLog, MESSAGE_TEXTS, messageName, reasonOf } from './message-parts.ts';

/** A message to a payer; in the sandbox with what the payer would read. */
export function renderMessagePage(
  visit: Visit,
  message: KeptMessage,
  request: NamedRequest | undefined,
): ConsolePage {
  const { text } = MESSAGE_TEXTS[visit.language];
  const { id, status, paymentRequestId, dueAt, sentAt, kept } = message;
  const reason = reasonOf(visit.language, message);
  const title = messageName(visit.language, message);
  const name = request ? requestName(request, mayNamePayer(visit)) : paymentRequestId;
  const list = facts([
    [text('reason'), reason && html`${reason}`],
    [
      text('request'),
      html`<a href="${requestPath(visit.merchantId, paymentRequestId)}">${name}</a>`,
    ],
    [text('dueAt'), instant(visit, dueAt)],
    [text('sentAt'), sentAt && instant(visit, sentAt)],
    [text('id'), copyField(visit, { id: 'id', label: text('id'), value: id })],
  ]);
  const back = { href: `/console/m/${visit.merchantId}/messages`, name: text('list') };
  return {
    title,
    head: { badge: statusBadge(visit, `message.${status}`), back },
    scripts: ['copy-fields'],
    hasFrame: true,
    body: html`<section class="card">
!${list}!${attemptLog(visit, message)}!${copyStatus(visit)}</section>
!${kept ? inbox(visit, id, kept) : html`<p class="quiet">${text('notKept')}</p>`}`,
  };
}

/** The text beside the mail, which stands in a frame that runs and loads nothing. */
function inbox(
  visit: Visit,
  id: string,
  { subject, text: plain, html: mail, headers }: NonNullable<KeptMessage['kept']>,
): string {
  const { text } = MESSAGE_TEXTS[visit.language];
  const block = (title: string, content: string) => html`<h3>${title}</h3>
<pre class="wrap" tabindex="0" role="region" aria-label="${title}"><code>${content}</code></pre>`;
  const frame =
    mail &&
    html`<h3>${text('asHtml')}</h3><iframe class="mail" sandbox
 title="${text('asHtml')}" src="/console/m/${visit.merchantId}/messages/${id}/html"></iframe>`;
  return html`<section class="card"><h2>${text('inbox')}</h2>
<p class="small">${text('inboxWhy')}</p>
!${subject && html`<p><strong>${subject}</strong></p>`}<div class="split"><div>!${frame ?? ''}</div>
<div>!${block(text('asText'), plain)}</div></div>
!${headers === null ? '' : block(text('headers'), headers)}</section>`;
}
