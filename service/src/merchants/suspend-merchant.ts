import { type AuditedDeps, insertAuditEntry } from './audit-log-store.ts';
import { lockKnownMerchant } from './known-merchant.ts';
import type { Merchant, MerchantStatus } from './merchant.ts';
import { setMerchantStatus } from './merchant-store.ts';

/**
 * Suspends a merchant: no new tokens or calls. The suspension ends its tokens, also for the time
 * after `resumeMerchant` (contract §3, §4). A repeated suspension is harmless.
 *
 * @throws OperatorFault for an unknown merchant
 */
export function suspendMerchant(deps: AuditedDeps, merchantId: string): Promise<Merchant> {
  return changeStatus(deps, merchantId, 'SUSPENDED');
}

/**
 * Lifts a suspension: the merchant's passwords and API keys work again, its earlier tokens do not.
 *
 * @throws OperatorFault for an unknown merchant
 */
export function resumeMerchant(deps: AuditedDeps, merchantId: string): Promise<Merchant> {
  return changeStatus(deps, merchantId, 'ACTIVE');
}

function changeStatus(
  { db, clock, actor }: AuditedDeps,
  merchantId: string,
  status: MerchantStatus,
): Promise<Merchant> {
  return db.transaction(async (tx) => {
    const merchant = await lockKnownMerchant(tx, merchantId);
    if (merchant.status === status) return merchant;
    const occurredAt = clock.now();
    await setMerchantStatus(tx, merchantId, status, occurredAt);
    const action = status === 'SUSPENDED' ? 'MERCHANT_SUSPENDED' : 'MERCHANT_RESUMED';
    await insertAuditEntry(tx, { actor, action, merchantId, details: {}, occurredAt });
    return { ...merchant, status };
  });
}
