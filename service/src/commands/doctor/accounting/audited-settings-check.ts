import { type CheckDeps, examplesOf, fault, fine, type Verdict } from '../verdict.ts';
import { findUnauditedSettings } from './audited-settings-store.ts';

/** Nothing that lets money out was changed beside the audit log. */
export async function checkAuditedSettings({ db }: CheckDeps): Promise<Verdict> {
  const { count, examples } = await findUnauditedSettings(db);
  if (count === 0) {
    return fine('Limits, suspensions and approvals are those of the audit log.');
  }
  return fault(
    `Changed without an entry of the audit log: ${examplesOf(examples ?? [], count)}. SQL ` +
      'beside the service did it: see docs/operations/doctor.md.',
  );
}
