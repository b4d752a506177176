import {
  type ActOrProposal,
  type ApprovalDeps,
  type AskedAct,
  actOrPropose,
} from '#approvals/act-or-propose.ts';
import type { ActKind } from '#approvals/model/act.ts';
import {
  isDecidedByMerchant,
  MERCHANTS_ACTS,
  type Party,
  type Proposal,
} from '#approvals/model/proposal.ts';
import { type Action, ruleOf } from '#console/model/access-matrix.ts';
import type { ConsoleRedirect, Visit } from '#console/shell/visit.ts';

/** The signed-in person as a party; a one-time link proposes, but never counts. */
export function partyOf({ actor, viewer }: Pick<Visit, 'actor' | 'viewer'>): Party {
  const { kind, issuer, subject } = viewer;
  return { actor, subject: kind === 'OIDC' ? { issuer, subject } : null };
}

/** Does an act for the signed-in person, or proposes it where two people must stand behind it. */
export function actForViewer<Kind extends ActKind>(
  { approvals }: { readonly approvals: ApprovalDeps },
  visit: Visit,
  act: AskedAct<Kind>,
): Promise<ActOrProposal<Kind>> {
  return actOrPropose(approvals, partyOf(visit), act);
}

/** The page of the proposal, or the page that shows the act's result. */
export function redirectAfter(
  acted: ActOrProposal<ActKind>,
  done: ConsoleRedirect,
): ConsoleRedirect {
  if (acted.status === 'DONE') return done;
  return { to: `/console/approvals/${acted.proposal.id}`, done: 'proposed' };
}

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
