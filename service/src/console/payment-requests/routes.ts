import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsoleRedirect, Visit } from '#console/shell/visit.ts';
import { qrCodeSvg } from '#http/qr-codes/qr-code.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { FieldFault } from '#lib/problem.ts';
import { cancelForPerson } from '#payment-requests/change/cancel-for-person.ts';
import { findOwnPaymentRequest } from '#payment-requests/lookup/find-own.ts';
import { CANCELLATION_REASONS } from '#payment-requests/model/cancellation-reasons.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { followTimelines, timelinePageId } from '#payment-requests/timeline/follow-timelines.ts';
import { simulateForPerson } from '#sandbox/simulate-for-person.ts';
import { SIMULATED_OUTCOMES } from '#sandbox/simulation-schemas.ts';
import { redeliverForPerson } from '#webhooks/deliveries/redeliver-for-person.ts';
import { readRequestDetails } from './read-details.ts';
import { renderReceipt } from './receipt-page.ts';
import { LONGEST_COMMENT } from './request-acts.ts';
import { renderRequest } from './request-page.ts';

const PATH = '/m/:merchant/payment-requests/:id';

/** A payment request: its page with the timeline, its acts, QR code and receipt. */
export function registerPaymentRequestPages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  const { db, settings } = deps;
  const idOf = ({ params }: Visit) => params.id ?? '';
  const findOwn = async (visit: Visit) => {
    const found = await findOwnPaymentRequest(db, visit.merchantId, idOf(visit));
    return paymentRequestAt(found, visit.now);
  };
  routes.page(PATH, 'payment-requests.read', async (_, visit, request) => {
    request.paymentRequestId = idOf(visit);
    const shown = await readRequestDetails(deps, visit, idOf(visit));
    return renderRequest(visit, shown, deps);
  });
  routes.live({
    path: `${PATH}/live`,
    action: 'payment-requests.read',
    pages: followTimelines(deps),
    idOf: (visit) => timelinePageId(visit.merchantId, idOf(visit)),
  });
  routes.page(`${PATH}/receipt`, 'payment-requests.read', async (_, visit) =>
    renderReceipt(visit, await findOwn(visit)),
  );
  routes.page(`${PATH}/qr.svg`, 'payment-requests.read', async (_, visit) => {
    const { shortCode } = await findOwn(visit);
    const content = qrCodeSvg(`${settings.paymentLinkBase}/${shortCode}`);
    return { fileName: 'payment-link.svg', type: 'image/svg+xml', content, isInline: true };
  });
  registerActs(routes, deps);
}

function registerActs(routes: ConsoleRoutes, { db, clock, move }: ConsoleDeps): void {
  const backTo = ({ merchantId, params }: Visit, done: string): ConsoleRedirect => ({
    to: `/console/m/${merchantId}/payment-requests/${params.id}`,
    done,
  });
  routes.act(
    `${PATH}/cancel`,
    'payment-requests.cancel',
    'typed',
    async (_, visit, form, request) => {
      const id = visit.params.id ?? '';
      request.paymentRequestId = id;
      const isOperator = visit.viewer.grants.some(({ role }) => role === 'operator');
      const person = { actor: visit.actor, isOperator };
      await cancelForPerson(move, person, visit.merchantId, { id, ...readCancellation(form) });
      return backTo(visit, 'cancelled');
    },
  );
  routes.act(
    `${PATH}/deliveries/:delivery/redeliver`,
    'deliveries.redeliver',
    'choice',
    async (_, visit) => {
      const { actor, merchantId, params } = visit;
      const redelivery = { db, clock, actor, wakeSenders: move.wakeSenders };
      await redeliverForPerson(redelivery, merchantId, params.delivery ?? '');
      return backTo(visit, 'again');
    },
  );
  routes.act(
    `${PATH}/simulate`,
    'payment-requests.simulate',
    'choice',
    async (_, visit, form, request) => {
      const { actor, merchantId, params } = visit;
      request.paymentRequestId = params.id ?? '';
      const outcome = readOutcome(form);
      await simulateForPerson(move, actor, merchantId, params.id ?? '', outcome);
      return backTo(visit, 'simulated');
    },
  );
}

/** @throws Problem VALIDATION_ERROR for an outcome that no button has */
function readOutcome(form: URLSearchParams) {
  const outcome = SIMULATED_OUTCOMES.find((each) => each === form.get('outcome'));
  const message = `Give outcome as ${SIMULATED_OUTCOMES.join(', ')}.`;
  if (!outcome) throwFaults([{ field: 'outcome', code: 'INVALID_VALUE', message }]);
  return outcome as (typeof SIMULATED_OUTCOMES)[number];
}

/** The form as the body of the merchant's own call. */
function readCancellation(form: URLSearchParams) {
  const reason = CANCELLATION_REASONS.find((each) => each === form.get('reason'));
  const comment = (form.get('comment') ?? '').trim();
  const message = `Give comment with at most ${LONGEST_COMMENT} characters.`;
  const faults: FieldFault[] =
    comment.length > LONGEST_COMMENT ? [{ field: 'comment', code: 'TOO_LONG', message }] : [];
  return { body: { ...(reason && { reason }), ...(comment !== '' && { comment }) }, faults };
}
