import type { Act, ActKind } from './act.ts';
import type { Facts } from './facts.ts';

export const PROPOSAL_STATUSES = [
  'WAITING',
  'APPROVED',
  'EXECUTED',
  'FAILED',
  'DECLINED',
  'WITHDRAWN',
  'EXPIRED',
] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

/**
 * An approver who left on a Friday evening is back on Monday: three days. Later the facts of the
 * proposal are old, and the proposer looks at the matter again.
 */
export const PROPOSAL_LIFETIME_MS = 72 * 3_600_000;

/**
 * An approved act happens within a second. A process that dies, or a database that is away, delays
 * it; after an hour its approvers would not expect it any more, so that it fails.
 */
export const LONGEST_EXECUTION_MS = 3_600_000;

/** Two people must stand behind an act: the proposer and an approver, or two approvers. */
export const PEOPLE_NEEDED = 2;

/** A person as the identity provider names it. Names and e-mail addresses can be another's. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

/** The one who proposes, approves, declines or withdraws. */
export interface Party {
  /** The actor of the audit log. */
  readonly actor: string;
  /** null: a one-time link or the command line, which never counts towards the two people. */
  readonly subject: Subject | null;
}

export interface Approval {
  readonly actor: string;
  readonly subject: Subject;
  readonly approvedAt: Date;
}

/** The reason why an approved act did not happen. */
export type FailureCode =
  /** The facts of the proposal have changed. */
  | 'TARGET_CHANGED'
  /** The act refuses by itself. */
  | 'REFUSED'
  /** No process could run the act in time. */
  | 'TOO_LATE'
  /** The stored content does not match the hash that the approvers saw. */
  | 'CONTENT_DAMAGED';

/** An act that waits for a second person, or did. */
export type Proposal = Act & {
  readonly id: string;
  /** null: no merchant can be named. */
  readonly merchantId: string | null;
  /** The sum of money; null: the act moves none. */
  readonly amountCents: number | null;
  readonly factsBefore: Facts;
  /** After a rehearsal of the act. */
  readonly factsAfter: Facts;
  readonly payloadHash: Buffer;
  readonly status: ProposalStatus;
  readonly proposer: Party;
  readonly approvals: readonly Approval[];
  readonly proposedAt: Date;
  readonly expiresAt: Date;
  readonly approvedAt: Date | null;
  readonly endedAt: Date | null;
  /** The person who declined or withdrew. */
  readonly endedBy: string | null;
  readonly reason: string | null;
  readonly outcome: ProposalOutcome | null;
};

export type ProposalOutcome =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly failure: FailureCode; readonly factsNow?: Facts };

/** A proposal as it is at `now`: the expiry counts before a loop has written it. */
export function proposalAt(proposal: Proposal, now: Date): Proposal {
  const isOver = proposal.status === 'WAITING' && proposal.expiresAt <= now;
  return isOver ? { ...proposal, status: 'EXPIRED', endedAt: proposal.expiresAt } : proposal;
}

/** The different people behind a proposal. */
export function peopleBehind({ proposer, approvals }: Proposal): readonly Subject[] {
  const people = new Map<string, Subject>();
  for (const each of [proposer.subject, ...approvals.map(({ subject }) => subject)]) {
    if (each) people.set(JSON.stringify([each.issuer, each.subject]), each);
  }
  return [...people.values()];
}

export function isSamePerson(one: Subject | null, other: Subject | null): boolean {
  return one !== null && one.issuer === other?.issuer && one.subject === other.subject;
}

/** Without a subject the actor's name decides: an act that only ends a proposal. */
export function isSameParty(one: Party, other: Party): boolean {
  if (one.subject || other.subject) return isSamePerson(one.subject, other.subject);
  return one.actor === other.actor;
}

/** The approvals that a proposal still needs. */
export function approvalsMissing(proposal: Proposal): number {
  return Math.max(0, PEOPLE_NEEDED - peopleBehind(proposal).length);
}

/** The acts that a merchant's own people propose and may read; the others are operators'. */
export const MERCHANTS_ACTS: readonly ActKind[] = ['REFUND', 'TEMPLATE_SET', 'TEMPLATE_ARCHIVE'];

/** Whether a merchant's own people may decide about a kind of act. */
export function isDecidedByMerchant(kind: ActKind): boolean {
  return kind === 'REFUND';
}
