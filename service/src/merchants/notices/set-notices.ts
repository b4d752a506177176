import { isMailbox } from '#lib/text-forms.ts';
import { type AuditedDeps, recordAct } from '#merchants/audit-log-store.ts';
import { lockKnownMerchant } from '#merchants/known-merchant.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { findNoticeEmail, saveNoticeEmail } from './notice-store.ts';

/**
 * Sets the address to which a merchant's notices go, or none (contract §11).
 *
 * @throws OperatorFault for an unknown merchant, or a text that is no e-mail address
 */
export function setNotices(
  { db, clock, actor }: AuditedDeps,
  merchantId: string,
  email: string | null,
): Promise<{ readonly merchantId: string; readonly email: string | null }> {
  if (email !== null && !isMailbox(email)) {
    throw new Refusal('notices.email');
  }
  return db.transaction(async (tx) => {
    await lockKnownMerchant(tx, merchantId);
    if ((await findNoticeEmail(tx, merchantId)) === email) return { merchantId, email };
    await saveNoticeEmail(tx, merchantId, email);
    await recordAct(tx, { clock, actor }, 'MERCHANT_NOTICES_CHANGED', merchantId, { email });
    return { merchantId, email };
  });
}
