import type { ApprovalDeps } from './act-or-propose.ts';
import { executeProposal } from './execute-proposal.ts';
import { claimApproved } from './proposal-store.ts';
import { writeExpiries } from './write-expiries.ts';

/** The process of the last approval tries first; a transaction ends after 15 s at most. */
const PAUSE_SECONDS = 20;
/** Acts take some 30 ms each; a run stays far below the bound of a loop's run. */
const MOST_AT_ONCE = 10;

/**
 * Does approved acts whose process died, or whose database was away, and writes the end of
 * proposals that nobody approved. @returns whether more may wait
 */
export async function runApproved(deps: ApprovalDeps, signal: AbortSignal): Promise<boolean> {
  const ids = await claimApproved(deps.db, PAUSE_SECONDS, MOST_AT_ONCE);
  const errors: unknown[] = [];
  for (const id of ids) {
    if (signal.aborted) return false;
    // An act that cannot be done holds up no other.
    await executeProposal(deps, id).catch((error: unknown) => errors.push(error));
  }
  const isExpiring = await writeExpiries(deps);
  if (errors.length > 0) throw new AggregateError(errors, 'approved acts were not done');
  return isExpiring || ids.length === MOST_AT_ONCE;
}
