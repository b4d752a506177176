import { CLOCK, IS_NEXT, LEASE } from './lease-store.ts';

/**
 * Leases the deliveries of named payment requests ($7): a few index probes, however many
 * destinations are owed something. Payment requests that owe a destination in trouble, and the
 * limits of a merchant and of all slots, are left to the other statement: what is leased here of a
 * payment request is all that is due of it.
 */
export const CLAIM_NAMED = {
  name: 'webhook-delivery-claim-named',
  text: `
    WITH ${CLOCK}, due AS MATERIALIZED (
      SELECT found.*
      FROM unnest($7::uuid[]) AS named (id), clock, LATERAL (
        SELECT d.id, d.destination, d.next_attempt_at, d.lease_token IS NOT NULL AS expired, e.url,
               CASE WHEN e.id IS NULL THEN d.destination
               ELSE webhook_origin_key(d.merchant_id, e.url) END AS origin
        FROM webhook_deliveries d LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id
        WHERE d.payment_request_id = named.id AND d.sequence > 0
          AND d.next_attempt_at <= clock.now AND d.destination < '~'
          AND (d.leased_until IS NULL OR d.leased_until <= clock.now)
          AND e.status IS DISTINCT FROM 'PAUSED'
          AND ${IS_NEXT}
          AND NOT EXISTS (
            SELECT FROM webhook_deliveries other
            JOIN webhook_destinations w ON w.destination = other.destination
              AND (w.is_slow OR w.opened_at IS NOT NULL)
            WHERE other.payment_request_id = named.id AND other.sequence > 0
              AND other.next_attempt_at <= clock.now
            OFFSET 0)
        LIMIT $3
        FOR UPDATE OF d SKIP LOCKED) found
    ), at_origin AS (
      SELECT *, row_number() OVER (PARTITION BY origin ORDER BY next_attempt_at) AS of_origin
      FROM due
    ), chosen AS (
      SELECT id, destination AS of_destination, destination AS queue, at_origin.origin, url,
             expired, NULL::text AS alone_at, false AS is_probed
      FROM at_origin LEFT JOIN unnest($5::text[], $6::int[]) AS busy (origin, sending)
        ON busy.origin = at_origin.origin
      WHERE coalesce(sending, 0) + of_origin <= $4
      LIMIT $3
    ), ${LEASE}
    SELECT * FROM claimed`,
};
