import { verifyAuditLog } from '#audit/verify-audit-log.ts';
import { countText } from '#lib/words/count-text.ts';
import { type CheckDeps, fault, fine, type Verdict } from './verdict.ts';

/** A report names a few faults; `payreq audit verify` prints all. */
const MOST_TOLD = 3;

/** Checks the chain of the audit log. */
export async function checkAuditLog(deps: CheckDeps): Promise<Verdict> {
  const { entries, faults, faultCount } = await verifyAuditLog(deps);
  if (faultCount === 0)
    return fine(`The audit log is unchanged: ${countText(entries, 'entry', 'entries')}.`);
  const told = faults.slice(0, MOST_TOLD).join(' ');
  return fault(`${told} ${countText(faultCount, 'fault')} in all: see payreq audit verify.`);
}
