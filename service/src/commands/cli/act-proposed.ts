import { approvalsMissing, type Proposal } from '#approvals/model/proposal.ts';
import { formatInstant } from '#lib/instant.ts';
import type { Invocation } from './invocation.ts';
import { printResult } from './print-result.ts';

/** Ends a command whose act was only proposed. */
export class ActProposed extends Error {
  readonly proposal: Proposal;

  constructor(proposal: Proposal) {
    super(`The act ${proposal.id} waits for approval.`);
    this.name = 'ActProposed';
    this.proposal = proposal;
  }
}

/** Prints a proposal, and ends the command with exit code 3. */
export function printProposal(
  invocation: Invocation,
  options: { readonly json: boolean },
  { proposal }: ActProposed,
): void {
  const { id, kind, status, expiresAt, payloadHash } = proposal;
  const missing = approvalsMissing(proposal);
  const hash = payloadHash.toString('hex');
  const until = formatInstant(expiresAt);
  const json = {
    proposal: {
      ...{ id, kind, status, payloadHash: hash, approvalsMissing: missing },
      expiresDateTime: until,
    },
  };
  printResult(invocation, options, json, [
    `Proposed only, nothing has happened: ${kind} ${id}.`,
    `${missing} people must approve it at /console/approvals/${id} until ${until}.`,
    `Content: SHA-256 ${hash}`,
  ]);
  invocation.markProposed();
}
