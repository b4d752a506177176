import { countsRows } from '../found-store.ts';

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
   WHERE s.done_at IS NULL AND s.claimed_until > latest.at`,
);
