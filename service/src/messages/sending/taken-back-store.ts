import { allRows } from '#database/statements.ts';

export interface EarlierMessage {
  readonly hasLeft: boolean;
  /** A sender holds it. */
  readonly isLeaving: boolean;
}

/** The messages of one kind that were to leave before. */
export const findEarlier = allRows<
  EarlierMessage,
  [paymentRequestId: string, kind: string, refundId: string | null]
>(
  'message-find-earlier',
  `SELECT sent_at IS NOT NULL AS "hasLeft",
     coalesce(leased_until > service_now(), false) AS "isLeaving"
   FROM messages
   WHERE payment_request_id = $1 AND kind = $2 AND refund_id IS NOT DISTINCT FROM $3::uuid`,
);
