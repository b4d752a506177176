import type { ApprovalDeps } from '#approvals/act-or-propose.ts';
import { ApprovalRefusal } from '#approvals/approval-refusal.ts';
import { readOpenProposal, readPolicy } from '#approvals/read-open-proposal.ts';
import { actForViewer, redirectAfter } from '#console/approvals/act-for-viewer.ts';
import type { Act, ConsoleRoutes } from '#console/shell/console-routes.ts';
import { problemSentences } from '#console/shell/render-fault.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { Problem } from '#lib/problem.ts';
import { findOwnPaymentRequest } from '#payment-requests/lookup/find-own.ts';
import { readRefundForm } from './read-form.ts';
import { type RefundFormView, refundPage } from './render-form.ts';

const REFUND_FORM_TEXTS = pageTexts('console.refunds');

/** Refusals for which the form has its own words; others keep the sentence of the API. */
const REFUSALS = [
  'REFUNDS_DISABLED',
  'NOT_PAID',
  'REFUNDS_NOT_SUPPORTED',
  'REFUND_LIMIT_REACHED',
  'REFUND_AMOUNT_MISMATCH',
  'REFUND_AMOUNT_EXCEEDED',
  'OTHER_PROPOSAL_OPEN',
] as const;

const PATH = '/m/:merchant/payment-requests/:id/refund';
/** The form by which a merchant's people give money back: all, half, or any sum. */
export function registerRefundForm(routes: ConsoleRoutes): void {
  routes.page(PATH, 'refunds.create', ({ approvals }, visit) => showForm(approvals, visit, {}));
  routes.act(PATH, 'refunds.create', 'typed', refund);
}

const refund: Act = async ({ approvals }, visit, form) => {
  const { merchantId } = visit;
  const { id: paymentRequestId } = await findPayment(approvals, visit);
  const read = readRefundForm(visit, form);
  if (read === 'outdated') {
    const refusal = REFUND_FORM_TEXTS[visit.language].text('outdated');
    return showForm(approvals, visit, { sent: form, refusal });
  }
  if ('faults' in read) return showForm(approvals, visit, { sent: form, ...read });
  const { id, ...asked } = read;
  try {
    const params = { merchantId, paymentRequestId, ...asked };
    const acted = await actForViewer({ approvals }, visit, { kind: 'REFUND', params, id });
    const to = `/console/m/${merchantId}/payment-requests/${paymentRequestId}`;
    return redirectAfter(acted, { to, done: 'refunded' });
  } catch (error) {
    const refusal = refusalOf(error, visit);
    if (refusal === null) throw error;
    return showForm(approvals, visit, { sent: form, refusal });
  }
};

function findPayment({ db }: ApprovalDeps, { merchantId, params }: Visit) {
  return findOwnPaymentRequest(db, merchantId, params.id ?? '');
}

async function showForm(
  approvals: ApprovalDeps,
  visit: Visit,
  given: Pick<RefundFormView, 'sent' | 'faults' | 'refusal'>,
): Promise<ConsolePage> {
  const paymentRequest = await findPayment(approvals, visit);
  const open = await readOpenProposal(approvals, {
    kind: 'REFUND',
    params: {
      ...{ merchantId: visit.merchantId, paymentRequestId: paymentRequest.id },
      ...{ amountCents: 0, expectedAvailableCents: 0, reason: 'OTHER' },
    },
  });
  const policy = await readPolicy(approvals.db);
  return refundPage(visit, { paymentRequest, policy, openProposalId: open?.id ?? null, ...given });
}

/** null: the frame has a page for the error. */
function refusalOf(error: unknown, { language }: Visit): string | null {
  const isKnown = error instanceof Problem || error instanceof ApprovalRefusal;
  if (!isKnown || error.code === 'TEMPORARILY_UNAVAILABLE') return null;
  const own = REFUSALS.find((each) => each === error.code);
  if (own) return REFUND_FORM_TEXTS[language].text(`refusal.${own}`);
  return error instanceof Problem
    ? problemSentences(language, error).join(' ')
    : error.sentence(language);
}
