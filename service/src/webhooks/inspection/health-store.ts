import type { Executor } from '#database/database.ts';
import { allRows } from '#database/statements.ts';
import { attemptsOf } from '#webhooks/deliveries/attempt-store.ts';
import type { DeliveryOutcome } from '#webhooks/model/outcomes.ts';

/** Counted exactly up to here: a millisecond or two of index entries. */
export const MOST_COUNTED = 1_000;

/** The latest deliveries of an endpoint that is well: one of them has the last answer. */
const LATEST = 50;

/**
 * The last attempt of an endpoint `e` with the failures `w`. A failing endpoint may have tried any
 * of the deliveries that wait, and `updated_at` says when: its attempt is among those of that
 * minute. A minute is longer than an exchange, its record, and a difference between clocks.
 */
const LAST_ATTEMPT = `
  SELECT delivery_id AS "deliveryId", attempt, started_at AS "startedAt",
    duration_ms AS "durationMs", outcome, http_status AS "httpStatus",
    left(response_body, 1024) AS "responseBody"
  FROM (
    (SELECT a.delivery_id, a.attempt, a.started_at, a.duration_ms, a.outcome, a.http_status,
       a.response_body
     FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
     WHERE d.endpoint_id = e.id AND a.started_at > w.updated_at - interval '1 minute'
       AND a.started_at < w.updated_at + interval '1 minute'
     ORDER BY a.started_at DESC LIMIT 1)
    UNION ALL
    (SELECT log.delivery_id, log.attempt, log.started_at, log.duration_ms, log.outcome,
       log.http_status, log.response_body
     FROM (SELECT id FROM webhook_deliveries WHERE endpoint_id = e.id
           ORDER BY id DESC LIMIT ${LATEST}) latest,
       LATERAL ${attemptsOf('latest.id')} log
     ORDER BY log.started_at DESC LIMIT 1)) candidates
  ORDER BY started_at DESC LIMIT 1`;

/** The deliveries that the bars of an endpoint show at most: some milliseconds of rows. */
export const MOST_IN_BARS = 2_000;

export interface LastAnswer {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: DeliveryOutcome;
  /** null: there was no answer. */
  readonly httpStatus: number | null;
  /** The answer's beginning: at most 1,024 characters. */
  readonly responseBody: string | null;
}

export interface HealthRow {
  /** In a row. */
  readonly failures: number;
  /** Since when the endpoint is only probed; null: it is not. */
  readonly openedAt: Date | null;
  /** Failed ones, since then. */
  readonly probes: number;
  readonly nextProbeAt: Date | null;
  /** Deliveries that are not over, counted up to `MOST_COUNTED`. */
  readonly pending: number;
  /** Since when the oldest delivery has been due; null: none is due. */
  readonly oldestDueAt: Date | null;
  /** null: nothing was sent lately. */
  readonly answer: LastAnswer | null;
}

/** A probe into each of a few indexes; a healthy endpoint has no row of failures. */
const findRows = allRows<HealthRow & { readonly id: string }, [ids: readonly string[]]>(
  'webhook-endpoint-health',
  `SELECT e.id, coalesce(w.failures, 0) AS failures, w.opened_at AS "openedAt",
          coalesce(w.probes, 0) AS probes, w.next_probe_at AS "nextProbeAt",
          (SELECT count(*) FROM (
             SELECT FROM webhook_deliveries
             WHERE status = 'PENDING' AND destination = e.id::text
             LIMIT ${MOST_COUNTED}) owed) AS pending,
          (SELECT next_attempt_at FROM webhook_deliveries
           WHERE status = 'PENDING' AND destination = e.id::text AND lease_token IS NULL
             AND next_attempt_at <= service_now()
           ORDER BY next_attempt_at LIMIT 1) AS "oldestDueAt",
          (SELECT row_to_json(last) FROM (${LAST_ATTEMPT}) last) AS answer
   FROM webhook_endpoints e LEFT JOIN webhook_destinations w ON w.destination = e.id::text
   WHERE e.id = ANY ($1::uuid[])`,
);

/** How endpoints stand, by their ids. */
export async function findHealth(
  db: Executor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, HealthRow>> {
  const rows = await findRows(db, ids);
  return new Map(
    rows.map(({ id, answer, ...row }) => {
      const at = answer && { ...answer, startedAt: new Date(answer.startedAt) };
      return [id, { ...row, answer: at }];
    }),
  );
}

/** Deliveries of one hour, by what became of them. */
export interface HourOfDeliveries {
  /** 0: created within the last hour. */
  readonly hoursAgo: number;
  readonly succeeded: number;
  /** Tried, and not delivered. */
  readonly failed: number;
  readonly untried: number;
}

/**
 * The hours of the last 24 that have deliveries, of an endpoint's latest 2,000.
 *
 * Ids are in the order of time, so that the endpoint's index gives the latest.
 */
export const findHours = allRows<HourOfDeliveries, [endpointId: string]>(
  'webhook-endpoint-hours',
  `SELECT floor(extract(epoch FROM service_now() - created_at) / 3600)::int AS "hoursAgo",
     count(*) FILTER (WHERE status = 'SUCCEEDED') AS succeeded,
     count(*) FILTER (WHERE status <> 'SUCCEEDED' AND attempts > 0) AS failed,
     count(*) FILTER (WHERE status <> 'SUCCEEDED' AND attempts = 0) AS untried
   FROM (SELECT created_at, status, attempts FROM webhook_deliveries
         WHERE endpoint_id = $1 ORDER BY id DESC LIMIT ${MOST_IN_BARS}) latest
   WHERE created_at > service_now() - interval '24 hours'
   GROUP BY 1`,
);
