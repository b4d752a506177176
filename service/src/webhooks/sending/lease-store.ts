import { columnsOf } from '#database/columns.ts';
import type { Executor } from '#database/database.ts';
import { execute } from '#database/statements.ts';
import { ADVANCED } from '#webhooks/model/advanced.ts';
import type { WebhookMisbehaviour } from '#webhooks/model/misbehaviour.ts';

/**
 * Keeps the plan for all values, which PostgreSQL compares with the first five plans of a
 * connection, each made for known values. After the tables have grown, it would plan at each
 * execution: a claim takes 1.5 to 6 ms to plan and 0.3 to 3 ms to execute. The series is never
 * counted. It makes a plan for known values seem expensive, and not so that it would be compiled.
 *
 * @param one an expression by a parameter: 1
 */
export const keepOnePlan = (one: string) =>
  `CASE WHEN service_now() IS NULL
     THEN (SELECT count(*) FROM generate_series(1, 2000000 * ${one})) END`;

/** The instant of a claim, whose lease lasts for some seconds ($2). */
export const CLOCK = `clock AS MATERIALIZED (
      SELECT service_now() AS now LIMIT (SELECT ${keepOnePlan('sign($2::int)::int')}))`;

/** No earlier event of the payment request waits for the URL or endpoint of a delivery `d`. */
export const IS_NEXT = `(d.sequence <= 1 OR NOT EXISTS (
  SELECT FROM webhook_deliveries earlier
  LEFT JOIN webhook_endpoints e ON e.id = earlier.endpoint_id
  WHERE earlier.payment_request_id = d.payment_request_id
    AND earlier.sequence < d.sequence AND earlier.sequence > 0
    AND earlier.next_attempt_at IS NOT NULL
    AND (earlier.endpoint_id = d.endpoint_id OR coalesce(e.url, earlier.url)
      = coalesce((SELECT url FROM webhook_endpoints WHERE id = d.endpoint_id), d.url))
    OFFSET 0))`;

/**
 * Writes the leases of `chosen` by `clock`, for a token ($1) and a number of seconds ($2), and
 * reads all that sending takes, as `claimed`. `chosen.url`: the current one of an endpoint.
 */
export const LEASE = `leased AS (
      UPDATE webhook_deliveries d
      SET lease_token = $1, leased_until = clock.now + make_interval(secs => $2),
          url = coalesce(chosen.url, d.url)
      FROM chosen, clock WHERE d.id = chosen.id
      RETURNING d.id, d.event_id, d.merchant_id, d.payment_request_id, d.sequence, d.endpoint_id,
                d.url, d.attempts, d.uncounted_attempts, d.created_at, chosen.of_destination,
                chosen.queue, chosen.origin, chosen.expired, chosen.alone_at, chosen.is_probed,
                CASE WHEN d.endpoint_id IS NULL THEN webhook_url_key(d.merchant_id, d.url) END
                  AS url_key, clock.now
    ), claimed AS (
    SELECT l.id, l.event_id AS "eventId", l.merchant_id AS "merchantId",
           l.payment_request_id AS "paymentRequestId", l.sequence, l.endpoint_id AS "endpointId",
           l.url, l.of_destination AS destination, l.origin, l.url_key AS "urlKey", l.attempts,
           l.uncounted_attempts AS "uncountedAttempts", l.expired AS "leaseExpired",
           l.alone_at AS "serialisedAt", l.is_probed AS "isProbe",
           l.queue = l.of_destination AND NOT starts_with(l.queue, '${ADVANCED}') AND EXISTS (
             SELECT FROM webhook_destinations u
             WHERE u.destination = l.url_key AND (u.opened_at IS NOT NULL OR l.is_probed))
             AS "isHeld",
           v.event_type AS "eventType", v.body, v.erased_at IS NOT NULL AS "isErased",
           CASE WHEN v.misbehaviour IS NOT NULL AND NOT EXISTS (
             SELECT FROM webhook_attempts a WHERE a.delivery_id = l.id
               AND (a.outcome = 'SUCCEEDED'
                    OR v.misbehaviour = 'BAD_SIGNATURE' AND a.http_status IS NOT NULL))
             THEN v.misbehaviour END AS misbehaviour, v.trace_parent AS traceparent,
           (extract(epoch FROM l.now - l.created_at) * 1000)::float8 AS "ageMs",
           coalesce(e.listener_username, m.listener_username) AS username,
           CASE WHEN e.id IS NULL
             THEN concat_ws(' ', m.listener_password_encrypted, m.signing_secret_encrypted,
                            CASE WHEN m.previous_signing_secret_until > l.now
                            THEN m.previous_signing_secret_encrypted END)
             ELSE concat_ws(' ', e.listener_password_encrypted, e.signing_secret_encrypted,
                            CASE WHEN e.previous_signing_secret_until > l.now
                            THEN e.previous_signing_secret_encrypted END)
           END AS "sealedSecrets"
    FROM leased l
    JOIN webhook_events v ON v.id = l.event_id
    JOIN merchants m ON m.id = l.merchant_id
    LEFT JOIN webhook_endpoints e ON e.id = l.endpoint_id)`;

/** A delivery whose lease this process holds, with all that sending it takes. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly leaseToken: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly body: string;
  /** The payer was erased while a paused endpoint held the delivery. */
  readonly isErased: boolean;
  /** In the sandbox only, and null once the listener has met it. */
  readonly misbehaviour: WebhookMisbehaviour | null;
  /** The W3C trace in which the payment request was created. */
  readonly traceparent: string | null;
  readonly merchantId: string;
  readonly paymentRequestId: string;
  readonly sequence: number;
  /** null: the payment request's own URL, with the merchant's default credentials. */
  readonly endpointId: string | null;
  readonly url: string;
  /** The endpoint, or the merchant with the URL's origin. */
  readonly destination: string;
  /** The merchant with the URL's origin. */
  readonly origin: string;
  /** The URL's own destination; null for an endpoint's. */
  readonly urlKey: string | null;
  /** How many were made before. */
  readonly attempts: number;
  /** Those of them that do not count towards the schedule's end. */
  readonly uncountedAttempts: number;
  /** The destination in trouble that is sent this delivery alone; null: none is in trouble. */
  readonly serialisedAt: string | null;
  /** Sent to see whether the destination is back: it uses up no attempt. */
  readonly isProbe: boolean;
  /** Its URL is failing: it waits in the URL's own queue and is not sent now. */
  readonly isHeld: boolean;
  /** Another sender had the lease and did not come back in time. */
  readonly leaseExpired: boolean;
  /** The time between the event's transaction and the claim. */
  readonly ageMs: number;
  readonly username: string;
  /** The password, then the secrets that sign, as PostgreSQL writes bytes, between spaces. */
  readonly sealedSecrets: string;
}

const release = execute<[ids: unknown, tokens: unknown, aloneAt: unknown, delaySeconds: number]>(
  'webhook-delivery-release',
  `WITH released AS (
    UPDATE webhook_deliveries d
    SET lease_token = NULL, leased_until = NULL,
        next_attempt_at = CASE WHEN $4 = 0 THEN next_attempt_at
                               ELSE service_now() + make_interval(secs => $4) END
    FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS r (id, lease_token, alone_at)
    WHERE d.id = r.id AND d.lease_token = r.lease_token
    RETURNING r.alone_at)
  UPDATE webhook_destinations SET alone_until = NULL
  WHERE destination IN (SELECT alone_at FROM released)`,
);

/**
 * Gives leases back without an attempt; the deliveries fall due `delaySeconds` from now. A delivery
 * that was sent alone lets the next one go.
 */
export async function releaseDeliveries(
  db: Executor,
  deliveries: readonly Pick<ClaimedDelivery, 'id' | 'leaseToken' | 'serialisedAt'>[],
  delaySeconds: number,
): Promise<void> {
  if (deliveries.length === 0) return;
  const [ids, tokens, aloneAt] = columnsOf(deliveries)('id', 'leaseToken', 'serialisedAt');
  await release(db, ids, tokens, aloneAt, delaySeconds);
}
