import { OperatorFault } from '#merchants/operator-fault.ts';

/** Why a proposal takes no approval, decline or withdrawal; the console has its own texts. */
export const APPROVAL_REFUSALS = {
  UNKNOWN_PROPOSAL: 'There is no such proposal.',
  NOT_WAITING: 'The proposal does not wait for an approval any more.',
  NO_SUBJECT:
    'Only a person who signed in at the identity provider can approve: a one-time link and the ' +
    'command line do not count.',
  OWN_PROPOSAL: 'A proposal needs the approval of another person than its proposer.',
  APPROVED_BEFORE: 'A person approves a proposal once: it needs the approval of another person.',
  OTHER_CONTENT: 'The proposal has another content than the page that was approved.',
  NOT_PROPOSER: 'Only the proposer can withdraw a proposal; others can decline it.',
  NO_REASON: 'Give the reason, 1 to 500 characters.',
  OTHER_PROPOSAL_OPEN: 'Another proposal about the same matter is open: end it first.',
} as const;
export type ApprovalRefusalCode = keyof typeof APPROVAL_REFUSALS;

export class ApprovalRefusal extends OperatorFault {
  readonly code: ApprovalRefusalCode;
  /** The proposal that stands in the way; null: none. */
  readonly proposalId: string | null;

  constructor(code: ApprovalRefusalCode, proposalId: string | null = null) {
    const named = proposalId === null ? '' : ` (${proposalId})`;
    super(`${APPROVAL_REFUSALS[code]}${named}`);
    this.name = 'ApprovalRefusal';
    this.code = code;
    this.proposalId = proposalId;
  }
}
