import { verifyAuditLog } from '../audit/verify-audit-log.ts';
import { canRewriteAuditLog } from './audit-right-store.ts';
import { type CheckNeeds, fault, fine, type Verdict, warning } from './verdict.ts';

/** A report names a few; `payreq audit verify` tells all. */
const MOST_TOLD = 3;

/** The audit log's chain holds. */
export async function checkAuditLog(needs: CheckNeeds): Promise<Verdict> {
  const { entries, faults, faultCount } = await verifyAuditLog(needs);
  if (faultCount === 0) return fine(`${entries} entries of the audit log are as written.`);
  const told = faults.slice(0, MOST_TOLD).join(' ');
  return fault(`${told} ${faultCount} faults in all: see payreq audit verify.`);
}

/** The service's role is not the owner of the tables (docs/operations/database-roles.md). */
export async function checkRoles({ db, runtimeRole }: CheckNeeds): Promise<Verdict> {
  if (!(await canRewriteAuditLog(db, runtimeRole))) {
    return fine('The service’s database role can append to the audit log, and no more.');
  }
  return warning(
    'The service’s database role owns the tables, and could rewrite the audit log: ' +
      'set RUNTIME_ROLE, see docs/operations/database-roles.md.',
  );
}
