import type { ApprovalDeps } from '#approvals/act-or-propose.ts';
import { ApprovalRefusal } from '#approvals/approval-refusal.ts';
import { readOpenProposal, readPolicy } from '#approvals/read-open-proposal.ts';
import { actForViewer, redirectAfter } from '#console/approvals/act-for-viewer.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsoleAnswer, ConsolePage, Visit } from '#console/shell/visit.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { Problem } from '#lib/problem.ts';
import { findOwnPaymentRequest } from '#payment-requests/lookup/find-own.ts';
import { readRefundForm } from './read-form.ts';
import { type RefundFormView, renderRefundForm } from './render-form.ts';
import { REFUND_FORM_TEXTS, REFUSALS } from './texts.ts';

export interface RefundFormDeps {
  readonly approvals: ApprovalDeps;
}

const PATH = '/m/:merchant/payment-requests/:id/refund';
/** A form with a fault shows itself again. */
const FAULTY_FORM = 422;

/** The form by which a merchant's people give money back: all, half, or any sum. */
export function registerRefundForm(routes: ConsoleRoutes, { approvals }: RefundFormDeps): void {
  routes.page({
    path: PATH,
    action: 'refunds.create',
    show: (visit) => showForm(approvals, visit, {}),
  });
  routes.act({
    path: PATH,
    action: 'refunds.create',
    form: 'typed',
    act: (visit, form) => refund(approvals, visit, form),
  });
}

async function refund(
  approvals: ApprovalDeps,
  visit: Visit,
  form: URLSearchParams,
): Promise<ConsoleAnswer> {
  const { merchantId } = visit;
  const { id: paymentRequestId } = await findPayment(approvals, visit);
  const [choice, amount] = [form.get('choice') ?? '', form.get('amount') ?? ''];
  const sent = { choice, amount, reason: form.get('reason') ?? '' };
  const reading = readRefundForm(form);
  if ('faults' in reading) return showForm(approvals, visit, { sent, faults: reading.faults });
  const { id, ...asked } = reading.asked;
  try {
    const params = { merchantId, paymentRequestId, ...asked };
    const acted = await actForViewer({ approvals }, visit, { kind: 'REFUND', params, id });
    const to = `/console/m/${merchantId}/payment-requests/${paymentRequestId}`;
    return redirectAfter(acted, { to, done: 'done' });
  } catch (error) {
    const refusal = refusalOf(error, visit);
    if (refusal === null) throw error;
    return showForm(approvals, visit, { sent, refusal });
  }
}

function findPayment({ db }: ApprovalDeps, { merchantId, params }: Visit) {
  return findOwnPaymentRequest(db, merchantId, params.id ?? '');
}

async function showForm(
  approvals: ApprovalDeps,
  visit: Visit,
  given: Partial<Pick<RefundFormView, 'sent' | 'faults' | 'refusal'>>,
): Promise<ConsolePage> {
  const { text } = REFUND_FORM_TEXTS[visit.language];
  const paymentRequest = await findPayment(approvals, visit);
  const open = await readOpenProposal(approvals, {
    kind: 'REFUND',
    params: {
      ...{ merchantId: visit.merchantId, paymentRequestId: paymentRequest.id },
      ...{ amountCents: 0, expectedAvailableCents: 0, reason: 'OTHER' },
    },
  });
  const { sent = null, faults = new Set(), refusal = null } = given;
  const policy = await readPolicy(approvals.db);
  const openProposalId = open?.id ?? null;
  const view = { paymentRequest, policy, openProposalId, sent, faults, refusal };
  return {
    title: text('title'),
    section: 'refunds',
    body: renderRefundForm(visit, view),
    ...((faults.size > 0 || refusal !== null) && { status: FAULTY_FORM }),
  };
}

/** null: the frame has a page for the error. */
function refusalOf(error: unknown, { language }: Visit): string | null {
  const isKnown = error instanceof Problem || error instanceof ApprovalRefusal;
  if (!isKnown || error.code === 'TEMPORARILY_UNAVAILABLE') return null;
  const own = REFUSALS.find((each) => each === error.code);
  if (own) return REFUND_FORM_TEXTS[language].text(`refusal.${own}`);
  return error instanceof Problem ? (error.detail ?? PROBLEMS[error.code].detail) : error.message;
}
