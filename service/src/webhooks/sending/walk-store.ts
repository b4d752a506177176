/** The destination behind which a process goes on; empty: at the beginning. */
export interface DestinationWalk {
  position: string;
}

/** A claim takes a few milliseconds for so many. It locks what it reads, and leases at most 100. */
const MOST_DESTINATIONS = 256;

/** The requests under way: by destination ($9, $10), origin ($5, $6) and merchant ($11, $12). */
export const BUSY = `
    busy AS MATERIALIZED (
      SELECT * FROM unnest($9::text[], $10::int[]) AS busy (destination, sending)
    ), busy_at AS MATERIALIZED (
      SELECT * FROM unnest($5::text[], $6::int[]) AS busy_at (origin, sending)
    ), busy_for AS MATERIALIZED (
      SELECT * FROM unnest($11::text[], $12::int[]) AS busy (merchant_id, sending)
    )`;

/**
 * queues: the next destinations behind one ($16) with pending deliveries, an index probe each, and
 * when their first falls due. The backlog of a hanging listener is not read to find what another
 * one is owed. `~` sorts behind them all: the queues of failing URLs are left out.
 * page: the end of the page; null: of the walk.
 * holding: the origins in the page whose URLs hold deliveries.
 */
export const WALK = `
    queues AS (
      (SELECT destination, endpoint_id, merchant_id, next_attempt_at AS first_due_at, 1 AS place
       FROM webhook_deliveries
       WHERE status = 'PENDING' AND destination > $16::text AND destination < '~'
       ORDER BY destination, next_attempt_at LIMIT 1)
      UNION ALL
      SELECT next.*, place + 1
      FROM queues, LATERAL (
        SELECT d.destination, d.endpoint_id, d.merchant_id, d.next_attempt_at
        FROM webhook_deliveries d
        WHERE d.status = 'PENDING' AND d.destination > queues.destination AND d.destination < '~'
        ORDER BY d.destination, d.next_attempt_at LIMIT 1) next
      WHERE place < ${MOST_DESTINATIONS}
    ), page AS MATERIALIZED (
      SELECT max(destination) FILTER (WHERE place = ${MOST_DESTINATIONS}) AS "walkedTo"
      FROM queues
    ), holding AS (
      (SELECT origin FROM webhook_destinations
       WHERE is_holding AND origin > $16::text ORDER BY origin LIMIT 1)
      UNION ALL
      SELECT next.origin
      FROM holding, LATERAL (
        SELECT w.origin FROM webhook_destinations w
        WHERE w.is_holding AND w.origin > holding.origin ORDER BY w.origin LIMIT 1) next
      WHERE holding.origin < coalesce((SELECT "walkedTo" FROM page), '~')
    )`;

/**
 * allowed: destinations that are not paused, with their free slots. Requests to one origin of a
 * merchant count together ($4). Deliveries beyond a few of an origin ($13) are kept from the second
 * half of the merchant's slots ($14 of $8) and of all slots ($15).
 */
export const ALLOWED = `
    allowed AS MATERIALIZED (
      SELECT d.destination, d.first_due_at, at.origin, e.url,
             coalesce(busy_at.sending, 0) AS sending,
             holding.origin IS NOT NULL AS is_holding,
             CASE WHEN coalesce(busy_for.sending, 0) >= $8 THEN 0
                  WHEN coalesce(busy_for.sending, 0) >= $14 OR $15 <= 0 THEN least($13::int, $4)
                  ELSE $4 END - coalesce(busy_at.sending, 0) AS free
      FROM (
        SELECT destination, endpoint_id, merchant_id, first_due_at FROM queues
        UNION ALL
        SELECT origin, NULL, split_part(origin, ' ', 1), NULL FROM holding
        WHERE origin NOT IN (SELECT destination FROM queues)) d
      LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id
      CROSS JOIN LATERAL (
        SELECT CASE WHEN e.id IS NULL THEN d.destination
               ELSE webhook_origin_key(d.merchant_id, e.url) END AS origin OFFSET 0) at
      LEFT JOIN holding ON holding.origin = d.destination
      LEFT JOIN busy_at ON busy_at.origin = at.origin
      LEFT JOIN busy_for ON busy_for.merchant_id = d.merchant_id
      WHERE e.status IS DISTINCT FROM 'PAUSED'
    )`;
