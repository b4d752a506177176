import type { DatabaseDeps } from '#database/database.ts';
import { auditProposal } from './audit-proposal.ts';
import { endProposal, findProposal, lockExpired } from './proposal-store.ts';

/** Proposals are few; a run after a long stop takes several turns. */
const MOST_AT_ONCE = 50;

/** Writes the end of proposals that nobody approved in time. @returns whether more may wait */
export async function writeExpiries({ db, clock }: DatabaseDeps): Promise<boolean> {
  return db.transaction(async (tx) => {
    const ids = await lockExpired(tx, MOST_AT_ONCE);
    for (const id of ids) {
      const proposal = await findProposal(tx, id);
      if (!proposal) continue;
      await endProposal(tx, id, { status: 'EXPIRED', endedAt: proposal.expiresAt });
      const by = { actor: 'payreq serve', at: clock.now() };
      await auditProposal(tx, 'PROPOSAL_EXPIRED', by, proposal);
    }
    return ids.length === MOST_AT_ONCE;
  });
}
