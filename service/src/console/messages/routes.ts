import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { known } from '#console/shell/known.ts';
import { mailFile } from '#console/shell/mail-file.ts';
import type { Visit } from '#console/shell/visit.ts';
import { cellMark } from '#lib/cells/cell-mark.ts';
import { Problem } from '#lib/problem.ts';
import { findProfile } from '#merchants/profile/find-profile.ts';
import { logoPath } from '#merchants/profile/profile.ts';
import { sendAgainForPerson } from '#messages/calls/send-again-for-person.ts';
import { readMessage } from '#messages/read/list-messages.ts';
import { liftListed } from '#messages/refusal/lift-listed.ts';
import { readNames } from '#payment-requests/lookup/search-payment-requests.ts';
import { renderMessagePage } from './message-page.ts';

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
    'choice',
    (deps, visit, form, request) => {
      request.paymentRequestId = visit.params.id ?? '';
      return sendAgain(deps, visit, form.get('channel'));
    },
  );
  routes.act(
    '/m/:merchant/suppressions/:id/lift',
    'messages.lift',
    'choice',
    async (deps, { actor, merchantId, params }) => {
      const bounced = { messageId: params.id ?? '', reason: 'BOUNCED', merchantId };
      await liftListed({ ...deps, actor }, bounced);
      return { to: `/console/m/${merchantId}/suppressions`, done: 'suppressionLifted' };
    },
  );
  routes.act(
    '/operator/suppressions/:id/:reason/lift',
    'operator.messages.lift',
    'choice',
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
