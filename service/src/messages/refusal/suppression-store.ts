import { allValues, execute, firstRow, hasRows, rowCount } from '#database/statements.ts';
import type { MessageNames } from '#messages/model/message.ts';
import type { Suppression } from '#messages/model/suppression.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';

/** Why a merchant's messages do not reach an address; none: they do. */
export const findSuppressions = allValues<
  Suppression,
  [merchantId: string, channel: Channel, addressHash: Buffer]
>(
  'message-find-suppressions',
  `SELECT reason FROM message_suppressions
   WHERE merchant_id = $1 AND channel = $2 AND address_hash = $3`,
);

/** Returns whether the suppression is new. */
export const insertSuppression = hasRows<
  [
    merchantId: string,
    channel: Channel,
    addressHash: Buffer,
    reason: Suppression,
    messageId: string,
  ]
>(
  'message-insert-suppression',
  `INSERT INTO message_suppressions (merchant_id, channel, address_hash, reason, message_id)
   VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING 1`,
);

/** Returns how many there were. */
export const deleteSuppressions = rowCount<
  [merchantId: string, channel: Channel, addressHash: Buffer]
>(
  'message-delete-suppressions',
  `DELETE FROM message_suppressions
   WHERE merchant_id = $1 AND channel = $2 AND address_hash = $3 RETURNING 1`,
);

/** A message that has left. */
export interface SentMessage extends MessageNames {
  readonly addressHash: Buffer;
}

export const findSentMessage = firstRow<SentMessage, [id: string]>(
  'message-find-sent',
  `SELECT id::text, payment_request_id AS "paymentRequestId", merchant_id AS "merchantId", kind,
     channel, address_hash AS "addressHash"
   FROM messages WHERE id = $1 AND address_hash IS NOT NULL`,
);

/** Shows the refusal at the message whose link the recipient followed. */
export const markRefused = execute<[id: string]>(
  'message-mark-refused',
  `UPDATE messages SET reason = coalesce(reason, 'RECIPIENT_REFUSED'), refused_at = service_now()
   WHERE id = $1`,
);

export interface LiftedRow {
  readonly merchantId: string;
  readonly channel: Channel;
  /** null: the payment request is gone. */
  readonly paymentRequestId: string | null;
}

/** @param merchantId null: of any merchant */
export const deleteSuppressionOf = firstRow<
  LiftedRow,
  [messageId: string, reason: string, merchantId: string | null]
>(
  'message-delete-suppression-of',
  `DELETE FROM message_suppressions s
   WHERE message_id = $1 AND reason = $2 AND ($3::text IS NULL OR merchant_id = $3)
   RETURNING merchant_id AS "merchantId", channel,
     (SELECT g.payment_request_id::text FROM messages g WHERE g.id = s.message_id)
       AS "paymentRequestId"`,
);
