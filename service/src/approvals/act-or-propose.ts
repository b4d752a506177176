import type { Database, Executor } from '#database/database.ts';
import { newId } from '#lib/new-id.ts';
import { notifyOfChanges } from '#payment-requests/read/change-signal-store.ts';
import { notifySenders } from '#webhooks/events/outbox.ts';
import { actTypeOf } from './acts/act-table.ts';
import type { ActDeps, Done, LockedFacts } from './acts/act-type.ts';
import { ApprovalRefusal } from './approval-refusal.ts';
import { auditProposal } from './audit-proposal.ts';
import type { Act, ActKind, ParamsOf, ResultOf } from './model/act.ts';
import { payloadHash } from './model/payload-hash.ts';
import { isSameParty, type Party, PROPOSAL_LIFETIME_MS, type Proposal } from './model/proposal.ts';
import { findPolicy } from './policy-store.ts';
import { findOpenProposal, findProposal, insertProposal } from './proposal-store.ts';
import { writeExpiries } from './write-expiries.ts';

export interface ApprovalDeps extends ActDeps {
  readonly db: Database;
}

/** The act is done, or waits for a second person. */
export type ActOrProposal<Kind extends ActKind> =
  | { readonly status: 'DONE'; readonly result: ResultOf<Kind> }
  | { readonly status: 'PROPOSED'; readonly proposal: Proposal };

export interface AskedAct<Kind extends ActKind> {
  readonly kind: Kind;
  readonly params: ParamsOf<Kind>;
  /** A UUID of the form, so that a form that is sent twice acts once; left out: a new one. */
  readonly id?: string;
}

/**
 * Does an act, or proposes it where two people must stand behind it (decision 0068). In both cases
 * the act is carried out once before: a proposal that could not be executed is refused at once.
 *
 * @throws OperatorFault, Problem as the act itself; ApprovalRefusal OTHER_PROPOSAL_OPEN
 */
export async function actOrPropose<Kind extends ActKind>(
  deps: ApprovalDeps,
  by: Party,
  { kind, params, id = newId() }: AskedAct<Kind>,
): Promise<ActOrProposal<Kind>> {
  const { db } = deps;
  const known = await findProposal(db, id);
  if (known) return { status: 'PROPOSED', proposal: repeated(known, by, { kind, params } as Act) };
  const tried = await tryAct(deps, by, { kind, params, id });
  if (tried.isDone) {
    await publishDone(db, tried.done);
    return { status: 'DONE', result: tried.done.result };
  }
  const proposal = newProposal(deps, by, { kind, params, id } as Act & { id: string }, tried);
  return { status: 'PROPOSED', proposal: await propose(deps, by, proposal) };
}

interface Rehearsal {
  readonly isDone: false;
  readonly before: LockedFacts;
  readonly after: LockedFacts;
}

type Tried<Kind extends ActKind> = { readonly isDone: true; readonly done: Done<Kind> } | Rehearsal;

/** Ends the transaction of an act that must only be proposed. */
class Rehearsed extends Error {
  readonly rehearsal: Rehearsal;

  constructor(rehearsal: Rehearsal) {
    super('rehearsed');
    this.rehearsal = rehearsal;
  }
}

async function tryAct<Kind extends ActKind>(
  deps: ApprovalDeps,
  { actor }: Party,
  { kind, params, id }: Required<AskedAct<Kind>>,
): Promise<Tried<Kind>> {
  const type = actTypeOf(kind);
  try {
    return await deps.db.transaction(async (tx) => {
      const policy = await findPolicy(tx);
      const before = await type.lockFacts(tx, params);
      const isProposal =
        policy.isOn && (type.needsApproval?.(params, before.facts, policy) ?? true);
      const done = await type.act(tx, deps, { id, params, actor });
      if (!isProposal || done.isRepeated) return { isDone: true, done } as const;
      const after = await type.lockFacts(tx, params);
      throw new Rehearsed({ isDone: false, before, after });
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.rehearsal;
    throw error;
  }
}

function newProposal(
  { clock }: ApprovalDeps,
  proposer: Party,
  { id, ...act }: Act & { readonly id: string },
  { before, after }: Rehearsal,
): Proposal {
  const proposedAt = clock.now();
  const { merchantId, amountCents, facts: factsBefore } = before;
  return {
    ...act,
    ...{ id, merchantId, amountCents, factsBefore, factsAfter: after.facts },
    payloadHash: payloadHash(act, factsBefore),
    status: 'WAITING',
    ...{ proposer, approvals: [], proposedAt },
    expiresAt: new Date(proposedAt.getTime() + PROPOSAL_LIFETIME_MS),
    ...{ approvedAt: null, endedAt: null, endedBy: null, reason: null, outcome: null },
  };
}

async function propose(deps: ApprovalDeps, by: Party, proposal: Proposal): Promise<Proposal> {
  const { db } = deps;
  const target = targetOf(proposal);
  // A proposal that is over stands in the way of no new one.
  await writeExpiries(deps);
  const isNew = await db.transaction(async (tx) => {
    if (!(await insertProposal(tx, target, proposal))) return false;
    await auditProposal(
      tx,
      'PROPOSAL_MADE',
      { actor: by.actor, at: proposal.proposedAt },
      proposal,
      {
        before: proposal.factsBefore,
        after: proposal.factsAfter,
      },
    );
    return true;
  });
  if (isNew) return proposal;
  const open = (await findProposal(db, proposal.id)) ?? (await findOpenProposal(db, target));
  if (open && isRepetition(open, proposal)) return open;
  throw new ApprovalRefusal('OTHER_PROPOSAL_OPEN', open?.id ?? null);
}

/** The form was sent before. */
function repeated(known: Proposal, by: Party, act: Act): Proposal {
  if (
    isSameParty(known.proposer, by) &&
    known.payloadHash.equals(payloadHash(act, known.factsBefore))
  )
    return known;
  throw new ApprovalRefusal('OTHER_PROPOSAL_OPEN', known.id);
}

/** A party asks for its own waiting act again, as a command that is run twice does. */
function isRepetition(open: Proposal, { proposer, payloadHash: hash }: Proposal): boolean {
  return isSameParty(open.proposer, proposer) && open.payloadHash.equals(hash);
}

function targetOf({ kind, params }: Act): string {
  return actTypeOf(kind).targetOf(params as never);
}

/** A lost signal delays a webhook by a second, and a waiting call by its wait. */
export async function publishDone(db: Executor, done: Done<ActKind>): Promise<void> {
  done.publish?.();
  if (done.changedIds.length === 0) return;
  await notifyOfChanges(db, done.changedIds).catch(() => {});
  await notifySenders(db).catch(() => {});
}
