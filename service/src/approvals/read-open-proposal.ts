import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { actTypeOf } from './acts/act-table.ts';
import type { ApprovalPolicy } from './acts/act-type.ts';
import type { Act, ActKind, ParamsOf } from './model/act.ts';
import { type Proposal, proposalAt } from './model/proposal.ts';
import { findPolicy } from './policy-store.ts';
import { findOpenProposal } from './proposal-store.ts';

interface ReadDeps {
  readonly db: Executor;
  readonly clock: Clock;
}

/**
 * The open proposal about the matter of an act, such as a case, for the page of the matter.
 *
 * @returns null: none is open
 */
export async function readOpenProposal<Kind extends ActKind>(
  { db, clock }: ReadDeps,
  { kind, params }: Act<Kind> & { readonly params: ParamsOf<Kind> },
): Promise<Proposal | null> {
  const found = await findOpenProposal(db, actTypeOf(kind as Kind).targetOf(params));
  const proposal = found && proposalAt(found, clock.now());
  return proposal?.status === 'EXPIRED' ? null : proposal;
}

const NOTHING = { amountCents: 0, expectedAvailableCents: 0, reason: 'OTHER' } as const;

/** The open proposal to refund a payment; null: none is open. */
export function readOpenRefund(
  deps: ReadDeps,
  merchantId: string,
  paymentRequestId: string,
): Promise<Proposal | null> {
  const params = { merchantId, paymentRequestId, ...NOTHING };
  return readOpenProposal(deps, { kind: 'REFUND', params });
}

/** Whether a refund is only proposed, by the sums of its payment before it. */
export function needsSecondPerson(
  policy: ApprovalPolicy,
  amountCents: number,
  { refundingCents, refundedCents }: Readonly<Record<'refundingCents' | 'refundedCents', number>>,
): boolean {
  const params = { merchantId: '', paymentRequestId: '', ...NOTHING, amountCents };
  const facts = { refundingCents, refundedCents };
  return policy.isOn && (actTypeOf('REFUND').needsApproval?.(params, facts, policy) ?? true);
}

/** When acts need two people, as the running service has recorded it. */
export function readPolicy(db: Executor): Promise<ApprovalPolicy> {
  return findPolicy(db);
}
