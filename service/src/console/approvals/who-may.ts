import { isMerchantsAct, type Proposal } from '#approvals/model/proposal.ts';
import { type Action, ruleOf } from '#console/model/access-matrix.ts';
import { FRESH_SIGN_IN_MS } from '#console/model/decide-access.ts';
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

/** The merchants whose refunds the person may see; null: everything. */
export function readableMerchants({ viewer }: Person): readonly string[] | null {
  const { roles } = ruleOf('approvals.read');
  const grants = viewer.grants.filter(({ role }) => roles.includes(role));
  if (grants.some(({ merchantId }) => merchantId === null)) return null;
  return grants.map(({ merchantId }) => merchantId ?? '');
}

export function isFresh({ viewer, now }: Pick<Visit, 'viewer' | 'now'>): boolean {
  return now.getTime() - viewer.signedInAt.getTime() < FRESH_SIGN_IN_MS;
}
