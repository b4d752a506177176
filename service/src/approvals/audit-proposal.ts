import type { Executor } from '#database/database.ts';
import type { AuditAction } from '#merchants/audit-actions.ts';
import { insertAuditEntry } from '#merchants/audit-log-store.ts';
import type { Proposal } from './model/proposal.ts';

type ProposalAction = Extract<AuditAction, `PROPOSAL_${string}`>;

/**
 * Appends an entry about a proposal to the audit log. It names every person behind the proposal by
 * issuer and subject, so that two people of one name stay apart.
 */
export async function auditProposal(
  tx: Executor,
  action: ProposalAction,
  { actor, at }: { readonly actor: string; readonly at: Date },
  proposal: Proposal,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { id, kind, merchantId, amountCents, payloadHash, proposer, approvals } = proposal;
  await insertAuditEntry(tx, {
    actor,
    action,
    merchantId,
    details: {
      ...idsOf(proposal),
      ...{ proposalId: id, kind, payloadHash: payloadHash.toString('hex') },
      ...(amountCents !== null && { amountCents }),
      proposedBy: { actor: proposer.actor, ...proposer.subject },
      ...(approvals.length > 0 && {
        approvedBy: approvals.map(({ actor: name, subject }) => ({ actor: name, ...subject })),
      }),
      ...more,
    },
    occurredAt: at,
  });
}

/** The ids by which a timeline finds the entry. */
function idsOf({ params, factsBefore }: Proposal): Record<string, unknown> {
  const named: Readonly<Record<string, unknown>> = { ...factsBefore, ...params };
  return Object.fromEntries(
    ['paymentRequestId', 'refundId', 'caseId'].flatMap((name) =>
      typeof named[name] === 'string' ? [[name, named[name]]] : [],
    ),
  );
}
