import { html } from 'ghtml';
import { statusWord } from '#console/components/badges.ts';
import { type Fact, facts } from '#console/components/parts.ts';
import { amount, fieldWord, instant, institutionOf } from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { qrCodeSvg } from '#http/qr-codes/qr-code.ts';
import type { FieldFault } from '#lib/problem.ts';
import { cancelForPerson } from '#payment-requests/change/cancel-for-person.ts';
import { findOwnPaymentRequest } from '#payment-requests/lookup/find-own.ts';
import { CANCELLATION_REASONS } from '#payment-requests/model/cancellation-reasons.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { followTimelines, timelinePageId } from '#payment-requests/timeline/follow-timelines.ts';
import { redeliverForPerson } from '#webhooks/deliveries/redeliver-for-person.ts';
import { readRequestDetails } from './read-details.ts';
import { backTo, LONGEST_COMMENT, pathOf } from './request-acts.ts';
import { renderRequest } from './request-page.ts';
import { registerSimulations } from './simulations.ts';
import { REQUEST_TEXTS } from './texts.ts';

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
  registerSimulations(routes, deps);
}

function registerActs(routes: ConsoleRoutes, { db, clock, move }: ConsoleDeps): void {
  routes.form(
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
  routes.act(`${PATH}/deliveries/:delivery/redeliver`, 'deliveries.redeliver', async (_, visit) => {
    const { actor, merchantId, params } = visit;
    const redelivery = { db, clock, actor, wakeSenders: move.wakeSenders };
    await redeliverForPerson(redelivery, merchantId, params.delivery ?? '');
    return backTo(visit, 'again');
  });
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

/** The payer’s paper: the payment, and the refunds of it. */
export function renderReceipt(visit: Visit, p: PaymentRequest): ConsolePage {
  const { text } = REQUEST_TEXTS[visit.language];
  const isPaid = p.payment !== null;
  const title = text(isPaid ? 'receiptPaid' : 'receiptOpen');
  const status = statusWord(visit.language, `request.${p.status}`);
  const warning = isPaid
    ? ''
    : html`<p class="notice warning">${text('receiptOpenWhy', { status })}</p>`;
  const body = html`<div class="card receipt"><h1>${title}</h1>!${warning}
!${facts(factsOf(visit, p))}</div>
<p class="actions"><button class="button" type="button" data-print hidden>${text('print')}</button>
<a class="button quiet" href="/console${pathOf(visit, p)}">${text('back')}</a></p>`;
  return {
    title: `${title} ${p.id}`,
    body,
    scripts: ['console-print'],
  };
}

function factsOf(visit: Visit, p: PaymentRequest): readonly Fact[] {
  const { text } = REQUEST_TEXTS[visit.language];
  const line = (name: string, value: string | null | undefined): Fact => [
    name,
    value ? html`${value}` : null,
  ];
  const { payment, sums, payer } = p;
  return [
    line(text('receiptFrom'), p.merchant.name),
    line(text('payer'), payer.name),
    [text('amount'), amount(visit, p.amountCents)],
    [text('received'), payment && amount(visit, p.sums.receivedCents)],
    [text('returned'), sums.returnedCents > 0 && amount(visit, sums.returnedCents)],
    [text('refunded'), sums.refundedCents > 0 && amount(visit, sums.refundedCents)],
    [text('paidAt'), payment && instant(visit, payment.completedAt)],
    line(text('institution'), institutionOf(p)),
    line(text('reference'), payment?.networkReference),
    line(text('transaction'), p.merchantTransactionId),
    line(text('invoice'), p.invoiceNumber),
    line(fieldWord(visit.language, 'displayMessage'), p.displayMessage),
    line(text('id'), p.id),
  ];
}
