import type { NewNotice } from '#merchants/notices/notice.ts';
import type { WebhookEventType } from '#webhooks/model/event-types.ts';

interface Noticed {
  readonly merchantId: string;
  readonly paymentRequestId: string;
  readonly eventType: WebhookEventType;
  /** JSON */
  readonly resource: string;
}

/**
 * The e-mail to the merchant that goes with an event; null: none. Every merchant learns of returned
 * money and failed refunds, also without a listener that asked for these types (contract §11).
 */
export function noticeOfEvent(event: Noticed): NewNotice | null {
  const { merchantId, paymentRequestId } = event;
  if (event.eventType === 'PAYMENT-RETURNED') {
    const { currency, refundSummary } = JSON.parse(event.resource);
    return {
      merchantId,
      kind: 'PAYMENT_RETURNED',
      paymentRequestId,
      amountCents: centsOf(refundSummary?.amountReturned),
      currency: currency ?? null,
    };
  }
  if (event.eventType === 'REFUND-FAILED') {
    const { id, amount, currency, statusReason } = JSON.parse(event.resource);
    return {
      merchantId,
      kind: 'REFUND_FAILED',
      paymentRequestId,
      refundId: id,
      amountCents: centsOf(amount),
      currency: currency ?? null,
      statusReasonCode: statusReason?.code ?? null,
    };
  }
  return null;
}

/** The service rendered the amount itself: two decimals, far below 2^53 cents. */
function centsOf(amount: unknown): number | null {
  return typeof amount === 'number' ? Math.round(amount * 100) : null;
}
