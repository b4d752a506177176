import { isMerchantsAct, type Proposal } from '#approvals/model/proposal.ts';
import { type Action, ruleOf } from '#console/model/access-matrix.ts';
import type { Visit } from '#console/shell/visit.ts';

type Person = Pick<Visit, 'viewer'>;

/**
 * Whether the person's roles of the access matrix hold for a proposal: operators' for all, the
 * merchant's own people for their refunds.
 */
function holds({ viewer }: Person, action: Action, { kind, merchantId }: Proposal): boolean {
  const { roles } = ruleOf(action);
  return viewer.grants.some((grant) => {
    const isOwn = isMerchantsAct(kind) && grant.merchantId === merchantId;
    return (grant.merchantId === null || isOwn) && roles.includes(grant.role);
  });
}

export function mayReadProposal(person: Person, proposal: Proposal): boolean {
  return holds(person, 'approvals.read', proposal);
}

export function mayDecide(person: Person, proposal: Proposal): boolean {
  return holds(person, 'approvals.decide', proposal);
}
