import { firstRow, firstValue } from '#database/statements.ts';
import type { DatabaseReading } from '#telemetry/metrics/database-gauges.ts';

/** Counted exactly up to here, in 2 ms; beyond it the partial index's estimate holds. */
const MOST_COUNTED = 10_000;
/** Destinations that are owed something; each costs three index probes, 20 µs. */
const MOST_DESTINATIONS = 5_000;
/** The oldest event is among the first of the index, which is in the order of transactions. */
const MOST_EVENTS = 1_000;

/**
 * The oldest delivery is looked for destination by destination, as the claim does: what a paused
 * endpoint is owed may be millions, and is not gone through.
 */
const readBacklog = firstRow<{ pending: number; oldestDueSeconds: number; probed: number }>(
  'webhook-gauges-backlog',
  `
    WITH RECURSIVE counted AS (
      SELECT count(*) AS number FROM (
        SELECT FROM webhook_deliveries WHERE status = 'PENDING'
        ORDER BY destination, next_attempt_at LIMIT ${MOST_COUNTED}) pending
    ), destinations AS (
      (SELECT destination, 1 AS number FROM webhook_deliveries
       WHERE status = 'PENDING' ORDER BY destination LIMIT 1)
      UNION ALL
      SELECT next.destination, destinations.number + 1
      FROM destinations, LATERAL (
        SELECT d.destination FROM webhook_deliveries d
        WHERE d.status = 'PENDING' AND d.destination > destinations.destination
        ORDER BY d.destination LIMIT 1) next
      WHERE destinations.number < ${MOST_DESTINATIONS}
    ), oldest AS (
      SELECT min(greatest(d.next_attempt_at, w.next_probe_at, o.next_probe_at)) AS due_at
      FROM destinations
      CROSS JOIN LATERAL (
        SELECT next_attempt_at, endpoint_id FROM webhook_deliveries
        WHERE status = 'PENDING' AND destination = destinations.destination
          AND lease_token IS NULL
        ORDER BY next_attempt_at LIMIT 1) d
      LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id
      LEFT JOIN webhook_destinations w ON w.destination = destinations.destination
      LEFT JOIN webhook_destinations o ON o.destination = w.origin
      WHERE e.status IS DISTINCT FROM 'PAUSED'
    )
    SELECT CASE WHEN counted.number < ${MOST_COUNTED} THEN counted.number
                ELSE greatest(counted.number, estimate.number) END::float8 AS pending,
           coalesce(greatest(extract(epoch FROM service_now() - oldest.due_at), 0), 0)::float8
             AS "oldestDueSeconds",
           (SELECT count(*) FROM (
              SELECT FROM webhook_destinations WHERE opened_at IS NOT NULL
              LIMIT ${MOST_COUNTED}) probed)::float8 AS probed
    FROM counted CROSS JOIN oldest
    LEFT JOIN (SELECT reltuples AS number FROM pg_class
               WHERE oid = to_regclass('webhook_deliveries_due')) estimate ON true`,
);

const countEndpoints = firstRow<{ active: number; paused: number; failing: number }>(
  'webhook-gauges-endpoints',
  `
    SELECT (SELECT count(*) FROM (
              SELECT FROM webhook_endpoints WHERE status = 'ACTIVE' AND deleted_at IS NULL
              LIMIT ${MOST_COUNTED}) active)::float8 AS active,
           (SELECT count(*) FROM (
              SELECT FROM webhook_endpoints WHERE status = 'PAUSED' AND deleted_at IS NULL
              ORDER BY id LIMIT ${MOST_COUNTED}) paused)::float8 AS paused,
           (SELECT count(*) FROM (
              SELECT FROM webhook_destinations w JOIN webhook_endpoints e
                ON e.id = CASE WHEN w.destination ~ '^[0-9a-f-]{36}$' THEN w.destination::uuid END
              WHERE w.opened_at IS NOT NULL AND e.status = 'ACTIVE' AND e.deleted_at IS NULL
              LIMIT ${MOST_COUNTED}) failing)::float8 AS failing`,
);

const readFeedLag = firstValue<number>(
  'webhook-gauges-feed-lag',
  `
    SELECT coalesce(greatest(extract(epoch FROM service_now() - min(created_at)), 0), 0)::float8
             AS seconds
    FROM (SELECT created_at FROM webhook_events
          WHERE transaction_id::text::bigint
                  >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint
          ORDER BY transaction_id::text::bigint LIMIT ${MOST_EVENTS}) hidden`,
  Number.NaN,
);

/** The deliveries that listeners are owed. */
export const DELIVERY_READING: DatabaseReading = {
  name: 'webhook-deliveries',
  gauges: [
    {
      name: 'webhook_deliveries_pending',
      description: `Webhook deliveries that are not over; an estimate beyond ${MOST_COUNTED}.`,
    },
    {
      name: 'webhook_oldest_due_seconds',
      description: 'How long the oldest webhook delivery that could be attempted has been due.',
    },
    {
      name: 'webhook_destinations_probed',
      description: 'Webhook destinations that are only probed, because they failed.',
    },
  ],
  async read(executor) {
    const row = await readBacklog(executor);
    return {
      webhook_deliveries_pending: row?.pending ?? Number.NaN,
      webhook_oldest_due_seconds: row?.oldestDueSeconds ?? Number.NaN,
      webhook_destinations_probed: row?.probed ?? Number.NaN,
    };
  },
};

/** How endpoints stand. */
const ENDPOINT_READING: DatabaseReading = {
  name: 'webhook-endpoints',
  gauges: [
    {
      name: 'webhook_endpoints',
      description: 'Webhook endpoints, by how they stand; FAILING ones are only probed.',
      label: { name: 'status', values: ['ACTIVE', 'FAILING', 'PAUSED'] },
    },
  ],
  async read(executor) {
    const { active = 0, paused = 0, failing = 0 } = (await countEndpoints(executor)) ?? {};
    return {
      webhook_endpoints: {
        ACTIVE: Math.max(0, active - failing),
        FAILING: failing,
        PAUSED: paused,
      },
    };
  },
};

/** How far the feed is behind. */
export const FEED_READING: DatabaseReading = {
  name: 'event-feed',
  gauges: [
    {
      name: 'webhook_feed_lag_seconds',
      description:
        'How long the oldest event waits that a running transaction keeps from the feed.',
    },
  ],
  async read(executor) {
    return { webhook_feed_lag_seconds: await readFeedLag(executor) };
  },
};

/** How deliveries, endpoints and the feed stand, as gauges. */
export const WEBHOOK_READINGS: readonly DatabaseReading[] = [
  DELIVERY_READING,
  ENDPOINT_READING,
  FEED_READING,
];
