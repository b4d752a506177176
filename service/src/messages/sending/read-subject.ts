import type { Executor } from '#database/database.ts';
import { findMerchant } from '#merchants/merchant-store.ts';
import { findLogo, findProfile } from '#merchants/profile/find-profile.ts';
import { type KindFacts, MESSAGE_KINDS, type Subject } from '#messages/model/kinds.ts';
import type { ClaimedMessage } from '#messages/model/message.ts';
import type { Template } from '#messages/model/template.ts';
import { linkedOrigins } from '#messages/model/unlinked-text.ts';
import type { RenderedMerchant } from '#messages/rendering/render-message.ts';
import { findTemplate } from '#messages/template-store.ts';
import { findPaymentRequest } from '#payment-requests/lookup/find-store.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { findRefund } from '#refunds/lookup/find-store.ts';
import { findEarlier } from './taken-back-store.ts';

/** The subject of a message, as it is at `now`; null: the payment request is gone. */
export async function readSubject(
  db: Executor,
  { paymentRequestId, refundId }: Pick<ClaimedMessage, 'paymentRequestId' | 'refundId'>,
  now: Date,
): Promise<Subject | null> {
  const found = await findPaymentRequest(db, paymentRequestId);
  if (!found) return null;
  const refund = refundId === null ? null : await findRefund(db, refundId);
  return { paymentRequest: paymentRequestAt(found, now), refund };
}

/** Whether the message that this one takes back has left; null: it takes none back. */
export async function readTakenBack(
  db: Executor,
  { kind, paymentRequestId, refundId }: ClaimedMessage,
): Promise<'LEFT' | 'LEAVING' | 'NEVER_LEFT' | null> {
  const { takesBack }: KindFacts = MESSAGE_KINDS[kind];
  if (!takesBack) return null;
  const earlier = await findEarlier(db, paymentRequestId, takesBack, refundId);
  if (earlier.some(({ hasLeft }) => hasLeft)) return 'LEFT';
  return earlier.some(({ isLeaving }) => isLeaving) ? 'LEAVING' : 'NEVER_LEFT';
}

/** A merchant as its messages show it. */
export interface ShownMerchant extends RenderedMerchant {
  readonly template: Template | null;
  /** null: the merchant's name. */
  readonly smsSender: string | null;
}

/** How a merchant shows itself in messages. */
export async function readMerchant(
  db: Executor,
  merchantId: string,
  templateId: string | null,
): Promise<ShownMerchant> {
  const profile = await findProfile(db, merchantId);
  const merchant = await findMerchant(db, merchantId);
  const { returnOrigins = [], messageSettings: settings } = merchant ?? {};
  const logo = profile.logoHash === null ? null : await findLogo(db, profile.logoHash);
  const template = templateId === null ? null : await findTemplate(db, merchantId, templateId);
  return {
    ...{ profile, template, logo },
    origins: linkedOrigins(returnOrigins, profile.website),
    smsSender: settings?.smsSender ?? null,
  };
}
