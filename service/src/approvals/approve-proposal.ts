import type { Executor } from '#database/database.ts';
import type { ApprovalDeps } from './act-or-propose.ts';
import { ApprovalRefusal } from './approval-refusal.ts';
import { auditProposal } from './audit-proposal.ts';
import { executeProposal } from './execute-proposal.ts';
import {
  type Approval,
  approvalsMissing,
  isSamePerson,
  type Party,
  type Proposal,
  proposalAt,
} from './model/proposal.ts';
import { findProposal, insertApproval, lockProposal, markApproved } from './proposal-store.ts';

export interface Approving {
  readonly id: string;
  /** The hash of the page that the approver saw, in hexadecimal. */
  readonly payloadHash: string;
}

/**
 * Approves a proposal, and does the act when two people stand behind it. The caller has checked the
 * approver's roles. An act that cannot run now stays APPROVED; a loop runs it.
 *
 * @returns the proposal as it is now: EXECUTED, FAILED, APPROVED, or WAITING for a second approval
 * @throws ApprovalRefusal
 */
export async function approveProposal(
  deps: ApprovalDeps,
  by: Party,
  approving: Approving,
): Promise<Proposal> {
  const approved = await recordApproval(deps, by, approving);
  if (approved.status !== 'APPROVED') return approved;
  // The approval is kept when the act fails: the loop repeats the act and reports its errors.
  await executeProposal(deps, approved.id).catch(() => {});
  return (await findProposal(deps.db, approved.id)) ?? approved;
}

/**
 * Records an approval, without the act. Two approvers at once follow each other.
 *
 * @throws ApprovalRefusal
 */
export function recordApproval(
  { db, clock }: Pick<ApprovalDeps, 'db' | 'clock'>,
  { actor, subject }: Party,
  { id, payloadHash }: Approving,
): Promise<Proposal> {
  return db.transaction(async (tx) => {
    const now = clock.now();
    const found = await lockProposal(tx, id);
    if (!found) throw new ApprovalRefusal('UNKNOWN_PROPOSAL');
    if (!subject) throw new ApprovalRefusal('NO_SUBJECT');
    const proposal = proposalAt(found, now);
    const { status, proposer, approvals } = proposal;
    const isRepeated = approvals.some((each) => isSamePerson(each.subject, subject));
    // A form that is sent twice: the first one has approved it already.
    if (isRepeated && status !== 'WAITING') return proposal;
    if (status !== 'WAITING') throw new ApprovalRefusal('NOT_WAITING');
    if (isSamePerson(proposer.subject, subject)) throw new ApprovalRefusal('OWN_PROPOSAL');
    if (isRepeated) throw new ApprovalRefusal('APPROVED_BEFORE');
    if (proposal.payloadHash.toString('hex') !== payloadHash) {
      throw new ApprovalRefusal('OTHER_CONTENT');
    }
    return write(tx, proposal, { actor, subject, approvedAt: now });
  });
}

async function write(tx: Executor, proposal: Proposal, approval: Approval): Promise<Proposal> {
  const { id } = proposal;
  const { approvedAt, actor } = approval;
  await insertApproval(tx, id, approval);
  const approved = { ...proposal, approvals: [...proposal.approvals, approval] };
  const isComplete = approvalsMissing(approved) === 0;
  if (isComplete) await markApproved(tx, id, approvedAt);
  const by = { actor, at: approvedAt };
  await auditProposal(tx, 'PROPOSAL_APPROVED', by, approved, { isComplete });
  return isComplete ? { ...approved, status: 'APPROVED', approvedAt } : approved;
}
