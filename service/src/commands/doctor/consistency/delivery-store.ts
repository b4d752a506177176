import { firstRowOr } from '#database/statements.ts';
import { countsRows } from '../found-store.ts';

export interface DeliveryBatch {
  readonly events: number;
  /** `null` when there was nothing after the id given. */
  readonly lastId: string | null;
  /** Events with fewer deliveries than were written for them. */
  readonly brokenIds: readonly string[];
}

/**
 * Audits up to `limit` events after an id.
 *
 * A batch of events in the order of their ids. An event has as many deliveries as were written for
 * it: only pruning takes them, with the event.
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
   SELECT (SELECT count(*) FROM batch) AS events,
          (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS "lastId",
          array(SELECT id::text FROM counted WHERE found < owed ORDER BY id) AS "brokenIds"`,
  { events: 0, lastId: null, brokenIds: [] },
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
