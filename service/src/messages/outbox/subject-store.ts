import { allValues, hasRows } from '#database/statements.ts';

/** Whether a message with the link has left, or is leaving. */
export const hasSentLink = hasRows<[paymentRequestId: string]>(
  'message-has-sent-link',
  `SELECT FROM messages WHERE payment_request_id = $1 AND kind = 'REQUEST'
     AND (sent_at IS NOT NULL OR leased_until > service_now()) LIMIT 1`,
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
