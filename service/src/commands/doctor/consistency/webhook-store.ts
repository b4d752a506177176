import { firstRowOr, firstValue } from '#database/statements.ts';
import { type AuditedBatch, countsRows } from '../found-store.ts';

interface DeliveryBatch extends AuditedBatch {
  /** Events with fewer deliveries than were written for them. */
  readonly brokenIds: readonly string[];
}

/**
 * Audits up to `limit` events after an id, in the order of their ids. An event has as many
 * deliveries as were written for it: only pruning takes them, with the event.
 */
export const auditDeliveries = firstRowOr<DeliveryBatch, [after: string, limit: number]>(
  'doctor-audit-deliveries',
  `WITH batch AS MATERIALIZED (
     SELECT id, owed_deliveries FROM webhook_events
     WHERE id > $1 ORDER BY id LIMIT $2
   ), counted AS (
     SELECT b.id, b.owed_deliveries AS owed,
            (SELECT count(*) FROM webhook_deliveries d WHERE d.event_id = b.id) AS found
     FROM batch b
   )
   SELECT (SELECT count(*) FROM batch) AS examined,
          (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS last,
          array(SELECT id::text FROM counted WHERE found < owed ORDER BY id) AS "brokenIds"`,
  { examined: 0, last: null, brokenIds: [] },
);

/**
 * Deliveries due for longer than so many seconds that no process sends though one should. Held back
 * rightly: deliveries to a paused endpoint, deliveries behind an earlier event of the payment
 * request, and deliveries to a destination until its next probe. A leased delivery is being sent.
 */
export const findOverdueDeliveries = countsRows(
  'doctor-find-overdue-deliveries',
  `SELECT d.id::text
   FROM webhook_deliveries d
   LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id
   LEFT JOIN webhook_destinations w ON w.destination = d.destination
   WHERE d.status = 'PENDING' AND d.lease_token IS NULL
     AND greatest(d.next_attempt_at, w.next_probe_at) < service_now() - make_interval(secs => $1)
     AND e.status IS DISTINCT FROM 'PAUSED'
     AND NOT EXISTS (
       SELECT FROM webhook_deliveries earlier
       WHERE earlier.payment_request_id = d.payment_request_id
         AND (earlier.url = d.url OR earlier.endpoint_id = d.endpoint_id)
         AND earlier.sequence < d.sequence AND earlier.sequence > 0
         AND earlier.next_attempt_at IS NOT NULL)`,
);

/** Deliveries whose next attempt is further away than so many seconds. */
export const findFarDeliveries = countsRows(
  'doctor-find-far-deliveries',
  `SELECT d.id::text FROM webhook_deliveries d
   WHERE d.status = 'PENDING'
     AND d.next_attempt_at > service_now() + make_interval(secs => $1)`,
);

/** Deliveries whose lease ended more than so many seconds ago and that no sender claimed again. */
export const findOverdueLeases = countsRows(
  'doctor-find-overdue-leases',
  `SELECT d.id::text
   FROM webhook_deliveries d LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id
   WHERE d.status = 'PENDING' AND e.status IS DISTINCT FROM 'PAUSED'
     AND d.leased_until < service_now() - make_interval(secs => $1)`,
);

/**
 * Leases that end later than so many seconds from now. Each table's rows are few, or the condition
 * has an index.
 */
export const findLongLeases = countsRows(
  'doctor-find-long-leases',
  `WITH latest AS (SELECT service_now() + make_interval(secs => $1) AS at)
   SELECT 'delivery ' || d.id AS lease FROM webhook_deliveries d, latest
   WHERE d.status = 'PENDING' AND d.leased_until > latest.at
   UNION ALL
   SELECT 'destination ' || w.destination FROM webhook_destinations w, latest
   WHERE w.alone_until > latest.at
   UNION ALL
   SELECT 'list stream of ' || s.merchant_id FROM payment_request_streams s, latest
   WHERE s.leased_until > latest.at
   UNION ALL
   SELECT 'sandbox step of ' || s.payment_request_id FROM sandbox_steps s, latest
   WHERE s.done_at IS NULL AND s.claimed_until > latest.at
   UNION ALL
   SELECT 'advance of ' || a.payment_request_id FROM sandbox_advances a, latest
   WHERE a.claimed_until > latest.at`,
);

/** A restored dump has all of its events ahead; more need not be counted. */
const MOST_COUNTED = 100_000;

/**
 * How many events have a place in the feed that this database server has not reached.
 *
 * No transaction that this server has begun can have such a number: a dump brought it. Read off the
 * end of webhook_events_by_transaction, so that the cost is that of the events found.
 */
export const countEventsAhead = firstValue<number>(
  'doctor-count-events-ahead',
  `SELECT count(*) AS count FROM (
     SELECT FROM webhook_events
     WHERE transaction_id::text::bigint
             >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
     LIMIT ${MOST_COUNTED}) ahead`,
  0,
);
