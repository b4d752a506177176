import { allValues, firstValue } from '#database/statements.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';

/** The channel on which the link has left last, or is leaving; null: it never left. */
export const findLinkChannel = firstValue<Channel | null, [paymentRequestId: string]>(
  'message-find-link-channel',
  `SELECT channel FROM messages WHERE payment_request_id = $1 AND kind = 'REQUEST'
     AND (sent_at IS NOT NULL OR leased_until > service_now()) ORDER BY number DESC LIMIT 1`,
  null,
);

/** The ones of these refunds whose receipt has left, or is leaving. */
export const findReceiptedRefunds = allValues<string, [refundIds: readonly string[]]>(
  'message-find-receipted-refunds',
  `SELECT refund_id::text AS id FROM messages
   WHERE refund_id = ANY ($1::uuid[]) AND kind = 'REFUND_RECEIPT'
     AND payment_request_id IN (
       SELECT payment_request_id FROM refunds WHERE id = ANY ($1::uuid[]))
     AND (sent_at IS NOT NULL OR leased_until > service_now())`,
);
