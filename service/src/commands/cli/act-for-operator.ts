import { type AskedAct, actOrPropose } from '#approvals/act-or-propose.ts';
import type { ActKind, ResultOf } from '#approvals/model/act.ts';
import { approvalsMissing, type Proposal } from '#approvals/model/proposal.ts';
import { approvalDepsOf } from '#compose/approvals/approval-deps.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { formatInstant } from '#lib/instant.ts';
import { Problem } from '#lib/problem.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import type { Invocation } from './invocation.ts';
import { printResult } from './print-result.ts';
import type { Deployment } from './with-deployment.ts';

/** null: the act waits for people who approve it in the console. */
export type Acted<Kind extends ActKind> =
  | { readonly result: ResultOf<Kind>; readonly proposal: null }
  | { readonly result: null; readonly proposal: Proposal };

/**
 * Does an act of the command line, or only proposes it where approvals are on (decision 0068): the
 * operating system's account is no person that the identity provider has signed in.
 *
 * @throws OperatorFault with the sentence of the act's refusal
 */
export async function actForOperator<Kind extends ActKind>(
  deployment: Deployment,
  act: AskedAct<Kind>,
): Promise<Acted<Kind>> {
  const { db, clock, actor } = deployment;
  const deps = approvalDepsOf({ config: deployment, db, clock });
  try {
    const acted = await actOrPropose(deps, { actor, subject: null }, act);
    if (acted.status === 'DONE') return { result: acted.result, proposal: null };
    return { result: null, proposal: acted.proposal };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, detail = PROBLEMS[code].detail } = error;
    throw new OperatorFault(`The act cannot be done. ${detail}`);
  }
}

/** Prints a proposal, and ends the command with exit code 3. */
export function printProposal(
  invocation: Invocation,
  options: { readonly json?: boolean },
  proposal: Proposal,
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
