import { allRows } from '#database/statements.ts';

/** An event with the body that every attempt sends. */
export interface SentEvent {
  readonly id: string;
  readonly eventType: string;
  readonly sequence: number;
  /** JSON, byte by byte as sent; after the erasure of a payer without the payer's data. */
  readonly body: string;
  readonly createdAt: Date;
  readonly traceparent: string | null;
  readonly isErased: boolean;
  /** The payer's name in the sandbox asks that no webhook is sent. */
  readonly isWithheld: boolean;
}

/** The unique index of a payment request's sequence gives the order. */
export const findSentEvents = allRows<
  SentEvent,
  [merchantId: string, paymentRequestId: string, most: number]
>(
  'webhook-sent-find',
  `SELECT id::text, event_type AS "eventType", sequence, body, created_at AS "createdAt",
          trace_parent AS traceparent, erased_at IS NOT NULL AS "isErased",
          misbehaviour IS NOT DISTINCT FROM 'NO_WEBHOOK' AS "isWithheld"
   FROM webhook_events
   WHERE payment_request_id = $1 AND merchant_id = $2 AND NOT is_test
   ORDER BY sequence DESC LIMIT $3`,
  (merchantId, paymentRequestId, most) => [paymentRequestId, merchantId, most],
);
