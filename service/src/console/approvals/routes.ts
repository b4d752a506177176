import { html } from 'ghtml';
import type { ApprovalDeps } from '#approvals/act-or-propose.ts';
import { ApprovalRefusal } from '#approvals/approval-refusal.ts';
import { approveProposal } from '#approvals/approve-proposal.ts';
import { declineProposal, withdrawProposal } from '#approvals/end-waiting.ts';
import { isSameParty, type Proposal } from '#approvals/model/proposal.ts';
import { listProposals, readProposal } from '#approvals/read-proposals.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { merchantsWithAction } from '#console/model/merchants-with-action.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { known } from '#console/shell/known.ts';
import type { ConsoleAnswer, ConsolePage, ConsoleRedirect, Visit } from '#console/shell/visit.ts';
import { namesOfMerchants } from '#merchants/find-named-merchant.ts';
import { findInOrder } from '#payment-requests/lookup/search-payment-requests.ts';
import { mayDecide, mayReadProposal, partyOf } from './act-for-viewer.ts';
import { proposedPreview } from './proposed-template.ts';
import {
  APPROVAL_TEXTS,
  paymentRequestIdOf,
  renderProposals,
  TABS,
  type Tab,
} from './render-list.ts';
import { renderProposal } from './render-proposal.ts';

/** A form with a fault shows itself again. */
const FAULTY_FORM = 422;

/** Proposals that wait, the person's own and the ended ones; a proposal with its forms. */
export function registerApprovalPages(routes: ConsoleRoutes): void {
  routes.page('/approvals', 'approvals.read', showList);
  routes.page('/approvals/:proposal', 'approvals.read', showProposal);
  routes.page('/approvals/:proposal/preview', 'approvals.read', async (deps, visit) => {
    const proposal = await readVisible(deps.approvals, visit);
    return known(await proposedPreview(deps, visit, proposal));
  });
  // The person comes back to it from a fresh sign-in.
  routes.page('/approvals/:proposal/decide', 'approvals.decide', showProposal);
  routes.act('/approvals/:proposal/approve', 'approvals.decide', (deps, visit, form) =>
    decide(deps, visit, async (approvals, proposal) => {
      refuseOthers(visit, proposal);
      const approving = { id: proposal.id, payloadHash: form.get('content') ?? '' };
      const { status } = await approveProposal(approvals, partyOf(visit), approving);
      return status === 'EXECUTED' ? 'executed' : 'approved';
    }),
  );
  routes.form('/approvals/:proposal/decline', 'approvals.decide', 'typed', (deps, visit, form) =>
    decide(deps, visit, async (approvals, proposal) => {
      refuseOthers(visit, proposal);
      const reason = form.get('reason') ?? '';
      await declineProposal(approvals, partyOf(visit), proposal.id, reason);
      return 'declined';
    }),
  );
  routes.act('/approvals/:proposal/withdraw', 'approvals.decide', (deps, visit) =>
    decide(deps, visit, async (approvals, { id }) => {
      await withdrawProposal(approvals, partyOf(visit), id);
      return 'withdrawn';
    }),
  );
}

async function showList({ approvals: deps }: ConsoleDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = APPROVAL_TEXTS[visit.language];
  const tab: Tab = TABS.find((each) => each === visit.query.get('show')) ?? 'waiting';
  const merchantIds = merchantsWithAction(visit.viewer.grants, 'approvals.read');
  const listed = (isOpen: boolean) =>
    listProposals(deps, { merchantIds, isOpen, merchantId: visit.query.get('merchant') });
  const found =
    tab === 'mine'
      ? [...(await listed(true)), ...(await listed(false))].filter(({ proposer }) =>
          isSameParty(proposer, partyOf(visit)),
        )
      : await listed(tab === 'waiting');
  const merchantNames = await namesOfMerchants(
    deps.db,
    found.map(({ merchantId }) => merchantId),
  );
  const about = found.map(paymentRequestIdOf).filter((id) => id !== null);
  const requests = await findInOrder(deps.db, [...new Set(about)]);
  const paymentRequests = new Map(requests.map((each) => [each.id, each]));
  const body = renderProposals(visit, tab, { proposals: found, merchantNames, paymentRequests });
  return { title: text('title'), head: { under: html`${text('lead')}` }, body };
}

async function showProposal({ approvals: deps }: ConsoleDeps, visit: Visit): Promise<ConsolePage> {
  return pageOf(deps, visit, await readVisible(deps, visit), null);
}

/** @throws Problem where the person may not learn of the proposal */
async function readVisible(deps: ApprovalDeps, visit: Visit): Promise<Proposal> {
  const found = await readProposal(deps, visit.params.proposal ?? '');
  return known(found && mayReadProposal(visit, found) ? found : null);
}

/** The access matrix has let people in who may decide about other merchants' refunds. */
function refuseOthers(visit: Visit, proposal: Proposal): void {
  known(mayDecide(visit, proposal) || null);
}

/** Decides, and shows the proposal as it then is, or the form's fault beside it. */
async function decide(
  { approvals }: ConsoleDeps,
  visit: Visit,
  work: (approvals: ApprovalDeps, proposal: Proposal) => Promise<string>,
): Promise<ConsoleAnswer> {
  const proposal = await readVisible(approvals, visit);
  try {
    const done = await work(approvals, proposal);
    return { to: `/console/approvals/${proposal.id}`, done } satisfies ConsoleRedirect;
  } catch (error) {
    if (!(error instanceof ApprovalRefusal)) throw error;
    const fault = error.sentence(visit.language);
    return { ...(await pageOf(approvals, visit, proposal, fault)), status: FAULTY_FORM };
  }
}

async function pageOf(
  deps: ApprovalDeps,
  visit: Visit,
  { id }: Proposal,
  fault: string | null,
): Promise<ConsolePage> {
  // A refusal may come from another person's decision, which the page then shows.
  const proposal = known(await readProposal(deps, id));
  const names = await namesOfMerchants(deps.db, [proposal.merchantId]);
  const about = paymentRequestIdOf(proposal);
  const [paymentRequest = null] = about === null ? [] : await findInOrder(deps.db, [about]);
  const merchantName = names.get(proposal.merchantId ?? '') ?? null;
  return renderProposal(visit, { proposal, paymentRequest, merchantName, fault });
}
