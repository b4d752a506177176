import { firstRow, hasRows } from '#database/statements.ts';
import type { MessageKind } from '#messages/model/kinds.ts';
import type { MessageReason } from '#payment-requests/model/messages/link-message.ts';

export interface SentSms {
  readonly paymentRequestId: string;
  readonly kind: MessageKind;
}

/** A SMS that was sent and has not ended. */
export const findSentSms = firstRow<SentSms, [id: string]>(
  'message-find-sent-sms',
  `SELECT payment_request_id AS "paymentRequestId", kind FROM messages
   WHERE id = $1 AND channel = 'SMS' AND status = 'SENT'`,
);

/** Ends such a message. Returns whether no other receipt has ended it meanwhile. */
export const endSentSms = hasRows<
  [id: string, status: 'DELIVERED' | 'FAILED', reason: MessageReason | null]
>(
  'message-end-sent-sms',
  `UPDATE messages SET status = $2, reason = $3, ended_at = service_now()
   WHERE id = $1 AND channel = 'SMS' AND status = 'SENT' RETURNING 1`,
);
