import { columnsOf } from '#database/columns.ts';
import { allRows } from '#database/statements.ts';
import { formatInstant } from '#lib/instant.ts';
import type { AttemptTimes } from '#webhooks/https/send-webhook.ts';
import { FIRST_ATTEMPT_COLUMNS } from '#webhooks/model/first-attempt.ts';
import type { DeliveryOutcome } from '#webhooks/model/outcomes.ts';
import { keepOnePlan } from './lease-store.ts';

/** The first attempt ends the delivery. */
const IS_ONLY = `d.attempts = 0 AND r.next_status = 'SUCCEEDED' AND NOT r.is_advanced`;

const KEEP_FIRST_ATTEMPT = Object.entries(FIRST_ATTEMPT_COLUMNS)
  .map(([own, result]) => `${own} = CASE WHEN ${IS_ONLY} THEN r.${result} ELSE d.${own} END`)
  .join(', ');

/** An attempt's answer by the words of LAST_ANSWERS. */
const FAILED_BY = `CASE WHEN r.outcome LIKE '%TIMED\\_OUT' THEN 'timeout'
  ELSE coalesce(r.http_status / 100 || 'xx', 'connection') END`;

/** The end of an attempt, to be written under its lease. */
export interface AttemptRecord {
  readonly id: string;
  readonly leaseToken: string;
  readonly nextStatus: 'PENDING' | 'SUCCEEDED' | 'EXHAUSTED';
  /** Until the next attempt; null when there is none. */
  readonly delaySeconds: number | null;
  readonly pauseEndpoint: boolean;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly times: AttemptTimes;
  readonly outcome: DeliveryOutcome;
  readonly httpStatus: number | null;
  readonly responseBody: string | null;
  readonly address: string | null;
  /** Made to see whether a destination is back: it uses up none of the schedule's attempts. */
  readonly isProbe: boolean;
  /** A call of the sandbox brought it forward. */
  readonly isAdvanced?: boolean;
}

export interface RecordedAttempt {
  readonly id: string;
  readonly leaseToken: string;
  readonly status: AttemptRecord['nextStatus'];
  readonly nextAttemptAt: Date | null;
  readonly endpointPaused: boolean;
  /** A later event of the same payment request has waited for this one. */
  readonly nextWaits: boolean;
  /** The destination has failed lately. */
  readonly isDestinationWatched: boolean;
}

/**
 * Writes what became of attempts, each only where its lease still holds; those whose lease was lost
 * are not in the answer. A listener's 410 pauses its endpoint in the same statement. An attempt
 * that stands in its delivery's row has no row in webhook_attempts (decision 0077).
 *
 * `webhook_destinations` is empty nearly always: one probe for the batch then spares all others.
 * Endpoints are read only where an attempt pauses its endpoint.
 *
 * A limit that the planner cannot see, here none, counts as a tenth of the ten rows that it takes
 * an unknown array for, and so as one: for ten rows of a table that was small when a connection
 * planned, it would read the whole table at each batch.
 */
export const recordAttempts = allRows<RecordedAttempt, [records: readonly AttemptRecord[]]>(
  'webhook-delivery-record',
  `
    WITH results AS (
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[],
                           $5::boolean[], $6::timestamptz[], $7::int[], $8::text[], $9::int[],
                           $10::text[], $11::text[], $12::boolean[], $13::int[], $14::int[],
                           $15::int[], $16::int[], $17::boolean[])
        AS r (id, lease_token, next_status, delay_seconds, pause_endpoint,
              started_at, duration_ms, outcome, http_status, response_body, address, is_probe,
              dns_ms, connect_ms, tls_ms, first_byte_ms, is_advanced)
      LIMIT (SELECT ${keepOnePlan('array_ndims($1::uuid[])')})
    ), recorded AS (
      UPDATE webhook_deliveries d
      SET attempts = d.attempts + 1, status = r.next_status,
          uncounted_attempts = d.uncounted_attempts + r.is_probe::int,
          next_attempt_at = service_now() + make_interval(secs => r.delay_seconds),
          completed_at = CASE WHEN r.next_status <> 'PENDING' THEN service_now() END,
          lease_token = NULL, leased_until = NULL,
          failed_at = CASE WHEN r.next_status <> 'SUCCEEDED' THEN r.started_at END,
          failed_by = CASE WHEN r.next_status <> 'SUCCEEDED' THEN ${FAILED_BY} END,
          ${KEEP_FIRST_ATTEMPT}
      FROM results r
      WHERE d.id = r.id AND d.lease_token = r.lease_token
      RETURNING d.merchant_id, d.payment_request_id, d.sequence, d.url, d.endpoint_id,
                d.destination, d.attempts, d.next_attempt_at, r.*
    ), logged AS (
      INSERT INTO webhook_attempts (delivery_id, attempt, started_at, duration_ms, outcome,
                                    http_status, response_body, address,
                                    dns_ms, connect_ms, tls_ms, first_byte_ms, is_advanced)
      SELECT id, attempts, started_at, duration_ms, outcome, http_status, response_body, address,
             dns_ms, connect_ms, tls_ms, first_byte_ms, is_advanced
      FROM recorded WHERE NOT (attempts = 1 AND next_status = 'SUCCEEDED' AND NOT is_advanced)
    ), paused AS (
      UPDATE webhook_endpoints SET status = 'PAUSED', paused_reason = 'GONE'
      WHERE (SELECT bool_or(pause_endpoint) FROM recorded) AND status = 'ACTIVE'
        AND id = ANY (ARRAY(SELECT endpoint_id FROM recorded WHERE pause_endpoint))
      RETURNING id
    )
    SELECT r.id, r.lease_token AS "leaseToken", r.next_status AS status,
           r.next_attempt_at AS "nextAttemptAt",
           r.pause_endpoint AND EXISTS (SELECT FROM paused WHERE paused.id = r.endpoint_id)
             AS "endpointPaused",
           r.next_status <> 'PENDING' AND EXISTS (
             SELECT FROM webhook_deliveries later
             WHERE later.payment_request_id = r.payment_request_id
               AND later.sequence > r.sequence AND later.sequence > 0
               AND later.next_attempt_at IS NOT NULL
               AND (later.url = r.url OR later.endpoint_id = r.endpoint_id)
             OFFSET 0) AS "nextWaits",
           (SELECT EXISTS (SELECT FROM webhook_destinations)) AND EXISTS (
             SELECT FROM webhook_destinations w
             WHERE w.destination = ANY (CASE WHEN r.endpoint_id IS NULL
               THEN ARRAY[webhook_origin_key(r.merchant_id, r.url),
                          webhook_url_key(r.merchant_id, r.url)]
               ELSE ARRAY[r.destination] END)
           ) AS "isDestinationWatched"
    FROM recorded r`,
  (records) => {
    const columns = columnsOf(records);
    const times = (key: keyof AttemptTimes) =>
      records.map((row) => (row.times[key] === undefined ? null : Math.round(row.times[key])));
    return [
      ...columns('id', 'leaseToken', 'nextStatus', 'delaySeconds', 'pauseEndpoint'),
      // The driver's own form of an instant, in local time, costs several times as much.
      records.map(({ startedAt }) => formatInstant(startedAt)),
      records.map(({ durationMs }) => Math.round(durationMs)),
      ...columns('outcome', 'httpStatus', 'responseBody', 'address', 'isProbe'),
      ...(['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs'] as const).map(times),
      records.map(({ isAdvanced = false }) => isAdvanced),
    ];
  },
);
