import { firstValue, valuesOf } from '#database/statements.ts';
import { NIL_PAYMENT_REQUEST } from '#webhooks/model/delivery.ts';

/**
 * How many tests of an endpoint are under way.
 *
 * Looks into the index of what is under way, by the payment request that only tests have.
 */
export const countTests = firstValue<number, [endpointId: string]>(
  'webhook-test-count',
  `SELECT count(*) AS count FROM webhook_deliveries
   WHERE next_attempt_at IS NOT NULL AND sequence > 0
     AND payment_request_id = '${NIL_PAYMENT_REQUEST}'
     AND endpoint_id = $1`,
  0,
);

/** A number for a test, as events have one. */
export const nextTestSequence = firstValue<number>(
  'webhook-test-next-sequence',
  `SELECT nextval('webhook_test_events') AS sequence`,
  1,
);

export interface NewTestEvent {
  readonly id: string;
  readonly merchantId: string;
  readonly sequence: number;
  readonly eventType: string;
  readonly body: string;
  readonly createdAt: Date;
  readonly endpointId: string;
  readonly url: string;
}

/**
 * Writes a test and its delivery, due now. @returns the delivery's id
 *
 * In no order: what is owed to the endpoint does not wait for it, nor it for that.
 */
export const insertTestEvent = firstValue<string, [event: NewTestEvent]>(
  'webhook-test-insert',
  `WITH event AS (
     INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type,
                                 body, created_at, is_test,
                                 owed_deliveries)
     VALUES ($1, $2, '${NIL_PAYMENT_REQUEST}', $3, $4, $5, $6, true, 1))
   INSERT INTO webhook_deliveries (id, event_id, merchant_id, payment_request_id, sequence,
                                   endpoint_id, url, destination)
   VALUES (time_ordered_uuid(), $1, $2, '${NIL_PAYMENT_REQUEST}', 1, $7, $8, $7::uuid::text)
   RETURNING id`,
  '',
  valuesOf('id', 'merchantId', 'sequence', 'eventType', 'body', 'createdAt', 'endpointId', 'url'),
);
