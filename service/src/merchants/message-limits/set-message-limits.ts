import { type AuditedDeps, recordAct } from '#merchants/audit-log-store.ts';
import { lockKnownMerchant } from '#merchants/known-merchant.ts';
import { findMessageLimits, type MessageLimits, saveMessageLimits } from './message-limit-store.ts';

/**
 * Sets how many messages a merchant may send payers in an hour (messages §3), and gives the limits
 * in force. A member that is left out stays as it is.
 *
 * @throws OperatorFault for an unknown merchant
 */
export function setMessageLimits(
  { db, clock, actor }: AuditedDeps,
  merchantId: string,
  changes: Partial<MessageLimits>,
): Promise<MessageLimits> {
  return db.transaction(async (tx) => {
    await lockKnownMerchant(tx, merchantId);
    const before = await findMessageLimits(tx, merchantId);
    const limits = { ...before, ...changes };
    if (JSON.stringify(limits) === JSON.stringify(before)) return before;
    await saveMessageLimits(tx, merchantId, limits);
    const details = { ...limits, before };
    await recordAct(tx, { clock, actor }, 'MESSAGE_LIMITS_CHANGED', merchantId, details);
    return limits;
  });
}
