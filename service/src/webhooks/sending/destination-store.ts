import { columnsOf } from '#database/columns.ts';
import type { Executor } from '#database/database.ts';
import { allRows, execute, rowCount } from '#database/statements.ts';
import type { DestinationState } from './circuit-breaker.ts';

export interface LockedDestination extends DestinationState {
  readonly destination: string;
  /** The destination of a URL's origin; null for an origin or an endpoint. */
  readonly origin: string | null;
  /** Deliveries to the URL wait in its own queue. */
  readonly isHolding: boolean;
  /** The database's clock. */
  readonly now: Date;
}

/** A destination that may get its first row; origin and URL only for a URL's own. */
export interface AddedDestination {
  readonly destination: string;
  readonly origin: string | null;
  readonly url: string | null;
}

// In order, like the locks after it: two processes that settle at once must not wait in a circle.
const addDestinations = execute<[rows: readonly AddedDestination[]]>(
  'webhook-destination-add',
  `INSERT INTO webhook_destinations (destination, origin, url)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS d (destination, origin, url)
  ORDER BY destination COLLATE "C"
  ON CONFLICT DO NOTHING`,
  (rows) => columnsOf(rows)('destination', 'origin', 'url'),
);

const lock = allRows<LockedDestination, [destinations: readonly string[]]>(
  'webhook-destination-lock',
  `SELECT destination, origin, is_holding AS "isHolding", failures,
    is_slow AS "isTimingOut", opened_at AS "openedAt", probes,
    next_probe_at AS "nextProbeAt", alone_until AS "serialisedUntil", service_now() AS now
  FROM webhook_destinations WHERE destination = ANY ($1::text[])
  ORDER BY destination FOR UPDATE`,
);

/** Locks how destinations stand until the transaction's end; those in `adding` get a row first. */
export async function lockDestinations(
  tx: Executor,
  adding: readonly AddedDestination[],
  all: readonly string[],
): Promise<LockedDestination[]> {
  if (adding.length > 0) await addDestinations(tx, adding);
  return lock(tx, all);
}

export const writeDestinations = execute<
  [rows: readonly (DestinationState & { readonly destination: string })[]]
>(
  'webhook-destination-write',
  `UPDATE webhook_destinations d
  SET failures = n.failures, is_slow = n.is_slow, opened_at = n.opened_at,
      probes = n.probes, next_probe_at = n.next_probe_at, alone_until = n.alone_until,
      updated_at = service_now()
  FROM unnest($1::text[], $2::int[], $3::boolean[], $4::timestamptz[], $5::int[],
              $6::timestamptz[], $7::timestamptz[])
    AS n (destination, failures, is_slow, opened_at, probes, next_probe_at, alone_until)
  WHERE d.destination = n.destination`,
  (rows) => [
    ...columnsOf(rows)('destination', 'failures', 'isTimingOut', 'openedAt', 'probes'),
    ...columnsOf(rows)('nextProbeAt', 'serialisedUntil'),
  ],
);

/**
 * Forgets the failures of destinations, so that their pending deliveries flow at once. For a
 * destination that answers again, and when a caller says so: an endpoint is resumed, moved or
 * tested, or a delivery is asked for again.
 *
 * `destinations`: as in the deliveries, an endpoint's id, or a merchant's with an origin
 */
export const forgetFailures = execute<[destinations: readonly string[]]>(
  'webhook-destination-forget',
  'DELETE FROM webhook_destinations WHERE destination = ANY ($1::text[])',
);

/** Pauses an endpoint that has failed for too long; what it is owed is held until it is resumed. */
export const pauseFailingEndpoint = execute<[endpointId: string]>(
  'webhook-destination-pause-endpoint',
  `UPDATE webhook_endpoints SET status = 'PAUSED', paused_reason = 'FAILING'
  WHERE id = $1 AND status = 'ACTIVE'`,
);

/**
 * Ends up to 1,000 tried deliveries to a destination that were made at `before` or earlier: an
 * index walk over what it is owed, an origin with the queues of its URLs. A delivery that was never
 * attempted stays.
 *
 * @returns how many
 */
export const exhaustHeldDeliveries = rowCount<[destination: string, before: Date]>(
  'webhook-destination-exhaust-held',
  `WITH held AS (
    SELECT id FROM webhook_deliveries
    WHERE status = 'PENDING' AND attempts > 0 AND created_at <= $2 AND lease_token IS NULL
      AND destination IN (
        SELECT $1::text
        UNION ALL
        SELECT destination FROM webhook_destinations WHERE origin = $1 AND is_holding)
    ORDER BY next_attempt_at LIMIT 1000
    FOR UPDATE SKIP LOCKED)
  UPDATE webhook_deliveries d
  SET status = 'EXHAUSTED', ended_because = 'LISTENER_FAILING', next_attempt_at = NULL,
      completed_at = service_now()
  FROM held WHERE d.id = held.id
  RETURNING d.id`,
);

/**
 * Forgets up to `limit` destinations that nothing is owed and that have long been left alone. There
 * may be a URL for every payment request: such a row stays beyond the longest wait between
 * attempts.
 *
 * @returns how many
 */
export const pruneDestinations = rowCount<[limit: number]>(
  'webhook-destination-prune',
  `DELETE FROM webhook_destinations WHERE destination IN (
    SELECT destination FROM webhook_destinations w
    WHERE updated_at < service_now()
            - CASE WHEN origin IS NULL THEN interval '30 days' ELSE interval '3 days' END
      AND NOT is_holding AND NOT EXISTS (
        SELECT FROM webhook_deliveries d
        WHERE d.status = 'PENDING' AND d.destination = w.destination)
    LIMIT $1
    FOR UPDATE SKIP LOCKED)
  RETURNING destination`,
);
