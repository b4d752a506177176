import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { isId } from '#lib/new-id.ts';
import { type Proposal, proposalAt } from './model/proposal.ts';
import { findProposal, findProposals, type ListedProposals } from './proposal-store.ts';

export interface ReadProposalsDeps {
  readonly db: Executor;
  readonly clock: Clock;
}

/** @returns null: there is none, or the id is malformed */
export async function readProposal(
  { db, clock }: ReadProposalsDeps,
  id: string,
): Promise<Proposal | null> {
  const found = isId(id) ? await findProposal(db, id) : null;
  return found && proposalAt(found, clock.now());
}

/** The newest proposals that the reader may see. */
export async function listProposals(
  { db, clock }: ReadProposalsDeps,
  filters: ListedProposals,
): Promise<Proposal[]> {
  const now = clock.now();
  return (await findProposals(db, filters)).map((proposal) => proposalAt(proposal, now));
}
