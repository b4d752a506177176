import { verifyAuditLog } from '#audit/verify-audit-log.ts';
import { countText } from '#lib/words/count-text.ts';
import { canRewriteAuditLog } from './audit-right-store.ts';
import { type CheckDeps, fault, fine, type Verdict, warning } from './verdict.ts';

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

/** The service's role is not the owner of the tables (docs/operations/database-roles.md). */
export async function checkRoles({ db, runtimeRole }: CheckDeps): Promise<Verdict> {
  if (!(await canRewriteAuditLog(db, runtimeRole))) {
    return fine('The service’s database role can append to the audit log, but not change it.');
  }
  return warning(
    'The service’s database role owns the tables, and could rewrite the audit log: ' +
      'set RUNTIME_ROLE, see docs/operations/database-roles.md.',
  );
}
