import { html } from 'ghtml';
import { toneOf } from '#console/components/badges.ts';
import { copyField, copyStatus, facts } from '#console/components/parts.ts';
import { instant, mayNamePayer, requestName, requestPath } from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { known } from '#console/shell/known.ts';
import { mailFile } from '#console/shell/mail-file.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { cellMark } from '#lib/cells/cell-mark.ts';
import { Problem } from '#lib/problem.ts';
import { findProfile } from '#merchants/profile/find-profile.ts';
import { logoPath } from '#merchants/profile/profile.ts';
import { sendAgainForPerson } from '#messages/calls/send-again-for-person.ts';
import { type KeptMessage, readMessage } from '#messages/read/list-messages.ts';
import { liftListed } from '#messages/refusal/lift-listed.ts';
import { type NamedRequest, readNames } from '#payment-requests/lookup/search-payment-requests.ts';
import { attemptLog, MESSAGE_TEXTS, messageBadge, messageName, reasonOf } from './message-parts.ts';

/** A message with the sandbox's inbox, and the acts on messages. */
export function registerMessagePages(routes: ConsoleRoutes): void {
  const path = '/m/:merchant/messages/:id';
  routes.page(path, 'messages.read', async ({ db }, visit) => {
    const message = await find(db, visit);
    const { paymentRequestId: id } = message;
    return renderMessagePage(visit, message, (await readNames(db, [id])).get(id));
  });
  routes.page(`${path}/html`, 'messages.read', async ({ db, cell }, visit) => {
    const { kept } = await find(db, visit);
    const html = known(kept?.html || null);
    const { logoHash } = await findProfile(db, visit.merchantId);
    return mailFile(html, logoPath(`${cellMark(cell)}${logoHash}`));
  });
  routes.act(
    '/m/:merchant/payment-requests/:id/messages',
    'messages.send',
    (deps, visit, form, request) => {
      request.paymentRequestId = visit.params.id ?? '';
      return sendAgain(deps, visit, form.get('channel'));
    },
  );
  routes.act(
    '/m/:merchant/suppressions/:id/lift',
    'messages.lift',
    async (deps, { actor, merchantId, params }) => {
      const bounced = { messageId: params.id ?? '', reason: 'BOUNCED', merchantId };
      await liftListed({ ...deps, actor }, bounced);
      return { to: `/console/m/${merchantId}/suppressions`, done: 'suppressionLifted' };
    },
  );
  routes.act(
    '/operator/suppressions/:id/:reason/lift',
    'operator.messages.lift',
    async (deps, { actor, params: { id = '', reason = '' } }) => {
      await liftListed({ ...deps, actor }, { messageId: id, reason, merchantId: null });
      return { to: '/console/operator/suppressions', done: 'suppressionLifted' };
    },
  );
}

/** @throws Problem ROUTE_NOT_FOUND for an unknown id, and for another merchant's */
async function find(db: ConsoleDeps['db'], { merchantId, params }: Visit) {
  return known(await readMessage(db, merchantId, params.id ?? ''));
}

/** Too many sendings are refused at the act, with the time of the next one. */
async function sendAgain(
  { db, messaging }: ConsoleDeps,
  { actor, merchantId, params: { id = '' }, now }: Visit,
  channel: string | null,
) {
  const to = `/console/m/${merchantId}/payment-requests/${id}`;
  try {
    await sendAgainForPerson({ ...messaging, db, actor }, merchantId, { id, channel });
    return { to, done: 'linkSent' };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'MESSAGE_LIMIT_REACHED') throw error;
    const again = new Date(now.getTime() + Number(error.headers['retry-after']) * 1_000);
    return { to: `${to}?again=${again.toISOString()}#messages` };
  }
}

/** A message to a payer; in the sandbox with what the payer would read. */
export function renderMessagePage(
  visit: Visit,
  message: KeptMessage,
  request: NamedRequest | undefined,
): ConsolePage {
  const { text } = MESSAGE_TEXTS[visit.language];
  const { id, status, paymentRequestId, dueAt, nextAttemptAt: next, sentAt, kept } = message;
  const reason = reasonOf(visit, message);
  const title = messageName(visit.language, message);
  const name = request ? requestName(request, mayNamePayer(visit)) : paymentRequestId;
  const tone = toneOf(`message.${status}`) === 'bad' ? 'bad' : 'warning';
  const why = reason && html`<p class="notice ${tone}">${reason}</p>`;
  const list = facts([
    [
      text('request'),
      html`<a href="${requestPath(visit.merchantId, paymentRequestId)}">${name}</a>`,
    ],
    [text('dueAt'), instant(visit, dueAt)],
    [text('nextAt'), next && instant(visit, next)],
    [text('sentAt'), sentAt && instant(visit, sentAt)],
    [text('id'), copyField(visit, { id: 'id', label: text('id'), value: id })],
  ]);
  const back = { href: `/console/m/${visit.merchantId}/messages`, name: text('list') };
  return {
    title,
    head: { badge: messageBadge(visit, message), back },
    scripts: ['copy-fields'],
    hasFrame: true,
    body: html`!${why ?? ''}<section class="card">
!${list}!${attemptLog(visit, message)}!${copyStatus(visit)}</section>
!${kept ? inbox(visit, id, kept) : ''}`,
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
