import { columnsOf } from '#database/columns.ts';
import { firstRowOr } from '#database/statements.ts';

export interface OutboxBatch {
  readonly paymentRequests: number;
  readonly owedEvents: number;
  /** `null` when there was nothing after the id given. */
  readonly lastId: string | null;
  readonly brokenIds: readonly string[];
}

/**
 * Audits up to `limit` payment requests after an id.
 *
 * Examines a batch of payment requests in the order of their ids, in one statement and so at one
 * moment. Each status change whose row of the table names a webhook must have its event of its
 * type, in the order of the changes. Events of refunds and of returned money may have numbers in
 * between. The changes count from 1 without a gap, and the last one is the status that the payment
 * request shows. Events of an age at which they are pruned, less an hour
 * for clocks that differ, may be gone.
 *
 * @param owing    the moves that owe an event
 * @param keptDays how long events are kept
 */
export const auditOutbox = firstRowOr<
  OutboxBatch,
  [
    after: string,
    limit: number,
    owing: readonly { readonly from: string; readonly to: string; readonly eventType: string }[],
    keptDays: number,
  ]
>(
  'doctor-audit-outbox',
  `WITH batch AS MATERIALIZED (
     SELECT id, status FROM payment_requests WHERE id > $1 ORDER BY id LIMIT $2
   ), changes AS (
     SELECT e.payment_request_id AS id, e.position, e.status, e.occurred_at,
            lag(e.status) OVER of_one AS from_status,
            row_number() OVER of_one AS nth,
            lead(e.status) OVER of_one IS NULL AS is_last
     FROM payment_request_events e JOIN batch b ON b.id = e.payment_request_id
     WINDOW of_one AS (PARTITION BY e.payment_request_id ORDER BY e.position)
   ), owed AS (
     SELECT c.id, t.event_type,
            c.occurred_at > service_now() - make_interval(days => $6, hours => -1) AS is_kept,
            row_number() OVER (PARTITION BY c.id, t.event_type ORDER BY c.position DESC)
              AS from_newest, c.position
     FROM changes c
     JOIN unnest($3::text[], $4::text[], $5::text[]) AS t (from_status, to_status, event_type)
       ON t.from_status = c.from_status AND t.to_status = c.status
   ), written AS (
     SELECT w.payment_request_id AS id, w.event_type, w.sequence,
            row_number() OVER (PARTITION BY w.payment_request_id, w.event_type
                               ORDER BY w.sequence DESC) AS from_newest
     FROM webhook_events w JOIN batch b ON b.id = w.payment_request_id
     WHERE NOT w.is_test AND w.event_type = ANY ($5)
   ), pairs AS (
     SELECT id, o.position, o.is_kept, w.sequence,
            max(w.sequence) OVER (PARTITION BY id ORDER BY o.position
                                  ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
     FROM owed o FULL JOIN written w USING (id, event_type, from_newest)
   ), broken AS (
     SELECT id FROM pairs
     WHERE (sequence IS NULL AND is_kept) OR position IS NULL OR sequence < before
     UNION
     SELECT b.id FROM batch b LEFT JOIN changes c ON c.id = b.id AND c.is_last
     WHERE c.status IS DISTINCT FROM b.status OR c.position <> c.nth
   )
   SELECT (SELECT count(*) FROM batch) AS "paymentRequests",
          (SELECT count(*) FROM owed WHERE is_kept) AS "owedEvents",
          (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS "lastId",
          array(SELECT id::text FROM broken ORDER BY id) AS "brokenIds"`,
  { paymentRequests: 0, owedEvents: 0, lastId: null, brokenIds: [] },
  (after, limit, owing, keptDays) => [
    after,
    limit,
    ...columnsOf(owing)('from', 'to', 'eventType'),
    keptDays,
  ],
);
