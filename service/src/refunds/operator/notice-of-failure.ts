import type { Executor } from '#database/database.ts';
import { noticeMerchant } from '#merchants/notices/notice-merchant.ts';
import type { Refund } from '#refunds/model/refund.ts';

/** Makes the notice to a merchant whose refund has FAILED: not each merchant has a listener. */
export function noticeOfFailedRefund(
  currency: string,
): (tx: Executor, refund: Refund) => Promise<void> {
  return (tx, { id: refundId, merchantId, paymentRequestId, amountCents, statusReasonCode }) =>
    noticeMerchant(tx, {
      kind: 'REFUND_FAILED',
      merchantId,
      paymentRequestId,
      refundId,
      amountCents,
      currency,
      statusReasonCode,
    });
}
