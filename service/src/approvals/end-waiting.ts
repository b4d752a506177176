import type { DatabaseDeps, Executor } from '#database/database.ts';
import { ApprovalRefusal } from './approval-refusal.ts';
import { auditProposal } from './audit-proposal.ts';
import { isSameParty, type Party, type Proposal, proposalAt } from './model/proposal.ts';
import { endProposal, lockProposal } from './proposal-store.ts';

/** A short paragraph; the audit log keeps it for seven years. */
export const LONGEST_REASON = 500;

/** Declines a proposal with a reason. The caller has checked the roles. @throws ApprovalRefusal */
export async function declineProposal(
  deps: DatabaseDeps,
  { actor }: Party,
  id: string,
  given: string,
): Promise<void> {
  const reason = given.normalize('NFC').trim();
  if (reason === '' || reason.length > LONGEST_REASON) throw new ApprovalRefusal('NO_REASON');
  return endWaiting(deps, id, async (tx, proposal, now) => {
    await endProposal(tx, id, { status: 'DECLINED', endedAt: now, endedBy: actor, reason });
    await auditProposal(tx, 'PROPOSAL_DECLINED', { actor, at: now }, proposal, { reason });
  });
}

/** Withdraws the proposer's own proposal. @throws ApprovalRefusal */
export function withdrawProposal(deps: DatabaseDeps, by: Party, id: string): Promise<void> {
  const { actor } = by;
  return endWaiting(deps, id, async (tx, proposal, now) => {
    if (!isSameParty(proposal.proposer, by)) throw new ApprovalRefusal('NOT_PROPOSER');
    await endProposal(tx, id, { status: 'WITHDRAWN', endedAt: now, endedBy: actor });
    await auditProposal(tx, 'PROPOSAL_WITHDRAWN', { actor, at: now }, proposal);
  });
}

function endWaiting(
  { db, clock }: DatabaseDeps,
  id: string,
  end: (tx: Executor, proposal: Proposal, now: Date) => Promise<void>,
): Promise<void> {
  return db.transaction(async (tx) => {
    const now = clock.now();
    const found = await lockProposal(tx, id);
    if (!found) throw new ApprovalRefusal('UNKNOWN_PROPOSAL');
    const proposal = proposalAt(found, now);
    if (proposal.status !== 'WAITING') throw new ApprovalRefusal('NOT_WAITING');
    await end(tx, proposal, now);
  });
}
