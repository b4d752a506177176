import type { Executor } from '#database/database.ts';
import type { DeliveryOutcome } from './delivery-outcomes.ts';

/**
 * Takes the lease of deliveries that are due. It walks from destination to destination, each an
 * index probe, and takes from each what its connections allow: the backlog of a listener that
 * hangs is not looked through to find what another one is owed. An earlier event of the same
 * payment request to the same URL goes first; what a paused endpoint is owed is held.
 * Of what is found, first attempts go before retries where a limit cuts.
 */
const CLAIM = {
  name: 'webhook-delivery-claim',
  text: `
    WITH RECURSIVE clock AS MATERIALIZED (
      SELECT service_now() AS now
    ), destinations AS (
      (SELECT destination, endpoint_id FROM webhook_deliveries
       WHERE status = 'PENDING' ORDER BY destination LIMIT 1)
      UNION ALL
      SELECT next.destination, next.endpoint_id
      FROM destinations, LATERAL (
        SELECT d.destination, d.endpoint_id FROM webhook_deliveries d
        WHERE d.status = 'PENDING' AND d.destination > destinations.destination
        ORDER BY d.destination LIMIT 1) next
    ), open AS (
      SELECT destination, $4 - coalesce(busy.sending, 0) AS free
      FROM destinations
      LEFT JOIN webhook_endpoints e ON e.id = destinations.endpoint_id
      LEFT JOIN unnest($5::text[], $6::int[]) AS busy (destination, sending) USING (destination)
      WHERE e.status IS DISTINCT FROM 'PAUSED' AND coalesce(busy.sending, 0) < $4
    ), due AS MATERIALIZED (
      SELECT found.*, open.free
      FROM open, clock, LATERAL (
        SELECT d.id, d.destination, d.merchant_id, d.next_attempt_at, d.attempts > 0 AS retry,
               d.lease_token IS NOT NULL AS expired
        FROM webhook_deliveries d
        WHERE d.status = 'PENDING' AND d.destination = open.destination
          AND d.next_attempt_at <= clock.now
          AND (d.leased_until IS NULL OR d.leased_until <= clock.now)
          AND NOT EXISTS (
            SELECT FROM webhook_deliveries earlier
            WHERE earlier.payment_request_id = d.payment_request_id
              AND earlier.sequence < d.sequence AND earlier.status = 'PENDING'
              AND earlier.url = d.url)
        ORDER BY d.next_attempt_at LIMIT $4
        FOR UPDATE OF d SKIP LOCKED) found
    ), in_destination AS (
      SELECT due.*, row_number() OVER (PARTITION BY destination ORDER BY next_attempt_at) AS place
      FROM due
    ), in_merchant AS (
      SELECT d.*, coalesce(busy.sending, 0)
                  + row_number() OVER (PARTITION BY merchant_id ORDER BY retry, next_attempt_at)
                  AS of_merchant
      FROM in_destination d
      LEFT JOIN unnest($8::text[], $9::int[]) AS busy (merchant_id, sending) USING (merchant_id)
      WHERE place <= free
    ), in_all AS (
      SELECT *, row_number() OVER (PARTITION BY retry ORDER BY next_attempt_at) AS of_kind
      FROM in_merchant WHERE of_merchant <= $7
    ), chosen AS (
      SELECT id, expired FROM in_all WHERE NOT retry OR of_kind <= $3
      ORDER BY retry, next_attempt_at LIMIT $2
    ), leased AS (
      UPDATE webhook_deliveries d
      SET lease_token = $1, leased_until = clock.now + make_interval(secs => $10)
      FROM chosen, clock WHERE d.id = chosen.id
      RETURNING d.id, d.event_id, d.merchant_id, d.payment_request_id, d.sequence, d.endpoint_id,
                d.url, d.destination, d.attempts, d.created_at, chosen.expired, clock.now
    )
    SELECT l.id, l.event_id AS "eventId", l.merchant_id AS "merchantId",
           l.payment_request_id AS "paymentRequestId", l.sequence, l.endpoint_id AS "endpointId",
           l.url, l.destination, l.attempts, l.expired AS "leaseExpired",
           v.event_type AS "eventType", v.body,
           (extract(epoch FROM l.now - l.created_at) * 1000)::float8 AS "ageMs",
           coalesce(e.listener_username, m.listener_username) AS username,
           coalesce(e.listener_password_encrypted, m.listener_password_encrypted)
             AS "passwordEncrypted",
           CASE WHEN e.id IS NULL THEN ARRAY[m.signing_secret_encrypted]
                WHEN e.previous_signing_secret_until > l.now
                THEN ARRAY[e.signing_secret_encrypted, e.previous_signing_secret_encrypted]
                ELSE ARRAY[e.signing_secret_encrypted] END AS "signingSecretsEncrypted"
    FROM leased l
    JOIN webhook_events v ON v.id = l.event_id
    JOIN merchants m ON m.id = l.merchant_id
    LEFT JOIN webhook_endpoints e ON e.id = l.endpoint_id`,
};

/**
 * Writes what became of attempts, each only where its lease still holds; what is answered was
 * written. A listener's 410 pauses its endpoint in the same statement.
 */
const RECORD = {
  name: 'webhook-delivery-record',
  text: `
    WITH results AS (
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[], $5::boolean[],
                           $6::timestamptz[], $7::int[], $8::text[], $9::int[], $10::text[],
                           $11::text[])
        AS r (id, lease_token, next_status, delay_seconds, pause_endpoint,
              started_at, duration_ms, outcome, http_status, response_body, address)
    ), recorded AS (
      UPDATE webhook_deliveries d
      SET attempts = d.attempts + 1, status = r.next_status,
          next_attempt_at = service_now() + make_interval(secs => r.delay_seconds),
          completed_at = CASE WHEN r.next_status <> 'PENDING' THEN service_now() END,
          lease_token = NULL, leased_until = NULL
      FROM results r
      WHERE d.id = r.id AND d.lease_token = r.lease_token
      RETURNING d.payment_request_id, d.sequence, d.url, d.endpoint_id, d.attempts,
                d.next_attempt_at, r.*
    ), logged AS (
      INSERT INTO webhook_attempts (delivery_id, attempt, started_at, duration_ms, outcome,
                                    http_status, response_body, address)
      SELECT id, attempts, started_at, duration_ms, outcome, http_status, response_body, address
      FROM recorded
    ), paused AS (
      UPDATE webhook_endpoints SET status = 'PAUSED', paused_reason = 'GONE'
      WHERE status = 'ACTIVE'
        AND id IN (SELECT endpoint_id FROM recorded WHERE pause_endpoint)
      RETURNING id
    )
    SELECT r.id, r.lease_token AS "leaseToken", r.next_status AS status,
           r.next_attempt_at AS "nextAttemptAt",
           EXISTS (SELECT FROM paused WHERE paused.id = r.endpoint_id) AS "endpointPaused",
           r.next_status <> 'PENDING' AND EXISTS (
             SELECT FROM webhook_deliveries later
             WHERE later.payment_request_id = r.payment_request_id
               AND later.sequence > r.sequence AND later.status = 'PENDING'
               AND later.url = r.url) AS "nextWaits"
    FROM recorded r`,
};

const RELEASE = {
  name: 'webhook-delivery-release',
  text: `UPDATE webhook_deliveries d
         SET lease_token = NULL, leased_until = NULL,
             next_attempt_at = CASE WHEN $3 = 0 THEN next_attempt_at
                                    ELSE service_now() + make_interval(secs => $3) END
         FROM unnest($1::uuid[], $2::uuid[]) AS released (id, lease_token)
         WHERE d.id = released.id AND d.lease_token = released.lease_token`,
};

// What a paused endpoint is owed, or a sender is sending, does not wait for us.
const BACKLOG = {
  name: 'webhook-delivery-backlog',
  text: `SELECT count(*) AS pending,
           coalesce(greatest(extract(epoch FROM service_now() - min(d.next_attempt_at) FILTER (
             WHERE d.lease_token IS NULL AND e.status IS DISTINCT FROM 'PAUSED')), 0), 0)::float8
             AS "oldestDueSeconds"
         FROM webhook_deliveries d LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id
         WHERE d.status = 'PENDING'`,
};

/** What may be claimed: the sender's slots, less what it is sending already. */
export interface ClaimLimits {
  readonly most: number;
  readonly mostRetries: number;
  readonly mostPerDestination: number;
  readonly mostPerMerchant: number;
  /** How many of each the sender has under way. */
  readonly sendingTo: ReadonlyMap<string, number>;
  readonly sendingFor: ReadonlyMap<string, number>;
}

/** A delivery whose lease this process holds, with all that sending it takes. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly leaseToken: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly body: string;
  readonly merchantId: string;
  readonly paymentRequestId: string;
  readonly sequence: number;
  /** null: the payment request's own URL, with the merchant's default credentials. */
  readonly endpointId: string | null;
  readonly url: string;
  readonly destination: string;
  /** How many were made before. */
  readonly attempts: number;
  /** Another sender had the lease and did not come back in time. */
  readonly leaseExpired: boolean;
  /** From the event's transaction to the claim. */
  readonly ageMs: number;
  readonly username: string;
  readonly passwordEncrypted: Buffer;
  readonly signingSecretsEncrypted: readonly Buffer[];
}

/** What an attempt ended as, to be written under its lease. */
export interface AttemptRecord {
  readonly id: string;
  readonly leaseToken: string;
  readonly nextStatus: 'PENDING' | 'SUCCEEDED' | 'EXHAUSTED';
  /** Until the next attempt; null when there is none. */
  readonly delaySeconds: number | null;
  readonly pauseEndpoint: boolean;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: DeliveryOutcome;
  readonly httpStatus: number | null;
  readonly responseBody: string | null;
  readonly address: string | null;
}

export interface RecordedAttempt {
  readonly id: string;
  readonly leaseToken: string;
  readonly status: AttemptRecord['nextStatus'];
  readonly nextAttemptAt: Date | null;
  readonly endpointPaused: boolean;
  /** A later event of the same payment request has waited for this one. */
  readonly nextWaits: boolean;
}

/** Leases due deliveries within `limits`. One statement, one transaction: committed on return. */
export async function claimDeliveries(
  db: Executor,
  leaseToken: string,
  leaseSeconds: number,
  limits: ClaimLimits,
): Promise<ClaimedDelivery[]> {
  const { most, mostRetries, mostPerDestination, mostPerMerchant } = limits;
  const rows = await db.query<Omit<ClaimedDelivery, 'leaseToken'>>(CLAIM, [
    leaseToken,
    most,
    mostRetries,
    mostPerDestination,
    [...limits.sendingTo.keys()],
    [...limits.sendingTo.values()],
    mostPerMerchant,
    [...limits.sendingFor.keys()],
    [...limits.sendingFor.values()],
    leaseSeconds,
  ]);
  return rows.map((row) => ({ ...row, leaseToken }));
}

/** Writes attempts; those whose lease was lost are not in the answer. */
export function recordAttempts(
  db: Executor,
  records: readonly AttemptRecord[],
): Promise<RecordedAttempt[]> {
  const column = <Key extends keyof AttemptRecord>(key: Key) => records.map((row) => row[key]);
  return db.query<RecordedAttempt>(RECORD, [
    column('id'),
    column('leaseToken'),
    column('nextStatus'),
    column('delaySeconds'),
    column('pauseEndpoint'),
    column('startedAt'),
    records.map(({ durationMs }) => Math.round(durationMs)),
    column('outcome'),
    column('httpStatus'),
    column('responseBody'),
    column('address'),
  ]);
}

/** Gives leases back without an attempt; the deliveries fall due `delaySeconds` from now. */
export async function releaseDeliveries(
  db: Executor,
  deliveries: readonly Pick<ClaimedDelivery, 'id' | 'leaseToken'>[],
  delaySeconds: number,
): Promise<void> {
  if (deliveries.length === 0) return;
  const ids = deliveries.map(({ id }) => id);
  const leaseTokens = deliveries.map(({ leaseToken }) => leaseToken);
  await db.query(RELEASE, [ids, leaseTokens, delaySeconds]);
}

/** How many deliveries are not over, and how long the oldest due one has been waiting. */
export async function readBacklog(
  db: Executor,
): Promise<{ pending: number; oldestDueSeconds: number }> {
  const [row] = await db.query<{ pending: number; oldestDueSeconds: number }>(BACKLOG);
  return row ?? { pending: 0, oldestDueSeconds: 0 };
}
