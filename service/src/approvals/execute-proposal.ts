import type { Executor } from '#database/database.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { Problem } from '#lib/problem.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { type ApprovalDeps, publishDone } from './act-or-propose.ts';
import { actTypeOf } from './acts/act-table.ts';
import type { ActType, Done } from './acts/act-type.ts';
import { auditProposal } from './audit-proposal.ts';
import type { ActKind } from './model/act.ts';
import { changedFacts, type Facts, formatChanges } from './model/facts.ts';
import { payloadHash } from './model/payload-hash.ts';
import {
  type FailureCode,
  LONGEST_EXECUTION_MS,
  type Proposal,
  type ProposalOutcome,
} from './model/proposal.ts';
import { endProposal, lockProposal } from './proposal-store.ts';

interface Failure {
  readonly code: FailureCode;
  readonly reason: string;
  readonly factsNow?: Facts;
}

/** Ends the transaction of an act that must not happen. */
class Refused extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/**
 * Does an approved act, exactly once: the act and its proposal's end are one transaction, which
 * holds the proposal's row. An act that its target refuses ends the proposal as FAILED, with the
 * reason. Any other error leaves the proposal APPROVED, for a later try.
 */
export async function executeProposal(deps: ApprovalDeps, id: string): Promise<void> {
  const { db } = deps;
  try {
    const done = await db.transaction((tx) => execute(tx, deps, id));
    if (done) await publishDone(db, done);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    await db.transaction((tx) => fail(tx, deps, id, failure));
  }
}

async function execute(
  tx: Executor,
  deps: ApprovalDeps,
  id: string,
): Promise<Done<ActKind> | null> {
  const proposal = await lockProposal(tx, id);
  // Another process has done it.
  if (proposal?.status !== 'APPROVED') return null;
  refuseUnfit(proposal, deps.clock.now());
  // The kind and its parameters come from one row; TypeScript cannot join the two unions.
  const type = actTypeOf(proposal.kind) as ActType<ActKind>;
  const params = proposal.params as never;
  const { facts } = await type.lockFacts(tx, params);
  if (changedFacts(proposal.factsBefore, facts).length > 0) {
    const changes = formatChanges(proposal.factsBefore, facts);
    const reason = `The target has changed since the proposal: ${changes}.`;
    throw new Refused({ code: 'TARGET_CHANGED', reason, factsNow: facts });
  }
  const actor = actorOf(proposal);
  const done = await type.act(tx, deps, { id, params, actor });
  const at = deps.clock.now();
  const outcome: ProposalOutcome = { result: done.audited };
  await endProposal(tx, id, { status: 'EXECUTED', endedAt: at, outcome });
  const { factsBefore: before, factsAfter: after } = proposal;
  await auditProposal(tx, 'PROPOSAL_EXECUTED', { actor, at }, proposal, {
    ...{ before, after },
    result: done.audited,
  });
  return done;
}

async function fail(
  tx: Executor,
  { clock }: ApprovalDeps,
  id: string,
  { code: failure, reason, factsNow }: Failure,
): Promise<void> {
  const proposal = await lockProposal(tx, id);
  if (proposal?.status !== 'APPROVED') return;
  const at = clock.now();
  const outcome: ProposalOutcome = { failure, ...(factsNow && { factsNow }) };
  await endProposal(tx, id, { status: 'FAILED', endedAt: at, reason, outcome });
  const by = { actor: actorOf(proposal), at };
  await auditProposal(tx, 'PROPOSAL_FAILED', by, proposal, { failure, reason });
}

/** Both people, for the entry of the act itself: the last approver acts for the proposer. */
function actorOf({ proposer, approvals }: Proposal): string {
  const approvers = approvals.map(({ actor }) => actor).join(' and ');
  return `${approvers}, as proposed by ${proposer.actor}`;
}

function refuseUnfit(proposal: Proposal, now: Date): void {
  const { approvedAt, payloadHash: hash, factsBefore } = proposal;
  if (approvedAt !== null && now.getTime() - approvedAt.getTime() > LONGEST_EXECUTION_MS) {
    const reason = 'No process could run the act within an hour of its approval.';
    throw new Refused({ code: 'TOO_LATE', reason });
  }
  if (!payloadHash(proposal, factsBefore).equals(hash)) {
    const reason = 'The stored content does not match the hash that the approvers saw.';
    throw new Refused({ code: 'CONTENT_DAMAGED', reason });
  }
}

/** null: an error that may pass, such as a database that is away. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof Refused) return error.failure;
  if (error instanceof OperatorFault) return { code: 'REFUSED', reason: error.message };
  if (!(error instanceof Problem)) return null;
  const { code, detail = PROBLEMS[code].detail } = error;
  return { code: 'REFUSED', reason: `${code}: ${detail}` };
}
