import { type AuditedDeps, recordAct } from './audit-log-store.ts';
import { lockKnownMerchant } from './known-merchant.ts';
import { findRefundsPerDay, setRefundsPerDay } from './refund-limit-store.ts';

export interface Limits {
  /** The highest sum of refunds in a day, in cents; 0: refunds are off. */
  readonly refundsPerDayCents: number;
}

/**
 * Sets a merchant's limits, and gives those in force. Refunds of before stay as they are.
 *
 * @param refundsPerDayCents null: as before
 * @throws OperatorFault for an unknown merchant
 */
export function setLimits(
  { db, clock, actor }: AuditedDeps,
  merchantId: string,
  refundsPerDayCents: number | null,
): Promise<Limits> {
  return db.transaction(async (tx) => {
    await lockKnownMerchant(tx, merchantId);
    const before = await findRefundsPerDay(tx, merchantId);
    if (refundsPerDayCents === null || refundsPerDayCents === before) {
      return { refundsPerDayCents: before };
    }
    await setRefundsPerDay(tx, merchantId, refundsPerDayCents);
    await recordAct(tx, { clock, actor }, 'MERCHANT_LIMITS_CHANGED', merchantId, {
      refundsPerDayCents,
      before: { refundsPerDayCents: before },
    });
    return { refundsPerDayCents };
  });
}
