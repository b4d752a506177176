import { isDecidedByMerchant, MERCHANTS_ACTS, type Proposal } from '#approvals/model/proposal.ts';
import { type Action, ruleOf } from '#console/model/access-matrix.ts';
import type { Visit } from '#console/shell/visit.ts';

type Person = Pick<Visit, 'viewer'>;

/** Whether the person's roles hold for the owner: operators' for all, others' for their own. */
function holds({ viewer }: Person, action: Action, ownerId: string | null): boolean {
  const { roles } = ruleOf(action);
  return viewer.grants.some(
    ({ merchantId, role }) =>
      (merchantId === null || merchantId === ownerId) && roles.includes(role),
  );
}

/** The merchant's own people read what they can propose. */
export function mayReadProposal(person: Person, { kind, merchantId }: Proposal): boolean {
  return holds(person, 'approvals.read', MERCHANTS_ACTS.includes(kind) ? merchantId : null);
}

/** The merchant's own people decide about refunds alone. */
export function mayDecide(person: Person, { kind, merchantId }: Proposal): boolean {
  return holds(person, 'approvals.decide', isDecidedByMerchant(kind) ? merchantId : null);
}
