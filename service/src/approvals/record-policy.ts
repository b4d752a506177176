import type { DatabaseDeps } from '#database/database.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import type { ApprovalPolicy } from './acts/act-type.ts';
import { findPolicy, lockPolicy, savePolicy } from './policy-store.ts';

/**
 * Records the policy of the settings at a start of the service. Commands follow the record: a shell
 * without the setting would else act alone.
 */
export async function recordPolicy(
  { db, clock }: DatabaseDeps,
  wanted: ApprovalPolicy,
): Promise<void> {
  // All starts but few need no lock.
  if (isSame(await findPolicy(db), wanted)) return;
  await db.transaction(async (tx) => {
    const recorded = await lockPolicy(tx);
    if (isSame(recorded, wanted)) return;
    await savePolicy(tx, wanted);
    await recordAct(tx, { clock, actor: 'payreq serve' }, 'APPROVALS_CHANGED', null, {
      from: recorded,
      to: wanted,
    });
  });
}

function isSame(one: ApprovalPolicy, other: ApprovalPolicy): boolean {
  return one.isOn === other.isOn && one.refundsAboveCents === other.refundsAboveCents;
}
