import type { Executor } from '#database/database.ts';
import type { WebhookMisbehaviour } from './webhook-misbehaviour.ts';

/**
 * Takes the lease of deliveries that are due. It walks from destination to destination, each an
 * index probe, and takes from each what its connections allow: the backlog of a listener that
 * hangs is not looked through to find what another one is owed. An earlier event of the same
 * payment request to the same URL or endpoint goes first; what a paused endpoint is owed is held.
 * Of what is found, first attempts go before retries where a limit cuts. An endpoint that has moved
 * is sent what it is owed at its URL of now, never its new credentials at the old one.
 *
 * A destination in trouble is sent one at a time, by one process, which its locked row decides: one
 * that timed out what is due next, one that is probed, when its time has come, whatever is first.
 * What crowds a destination is kept from the second half of its merchant's slots and of all.
 *
 * Each part can use one index only, and OFFSET 0 keeps the parts apart: statistics that were taken
 * when nothing was owed call every way equally short, and the others go through the whole backlog.
 */
const CLAIM = {
  name: 'webhook-delivery-claim',
  text: `
    WITH RECURSIVE clock AS MATERIALIZED (
      SELECT service_now() AS now
    ), busy AS MATERIALIZED (
      SELECT * FROM unnest($5::text[], $6::int[]) AS busy (destination, sending)
    ), busy_for AS MATERIALIZED (
      SELECT * FROM unnest($8::text[], $9::int[]) AS busy (merchant_id, sending)
    ), destinations AS (
      (SELECT destination, endpoint_id, merchant_id FROM webhook_deliveries
       WHERE status = 'PENDING' ORDER BY destination LIMIT 1)
      UNION ALL
      SELECT next.destination, next.endpoint_id, next.merchant_id
      FROM destinations, LATERAL (
        SELECT d.destination, d.endpoint_id, d.merchant_id FROM webhook_deliveries d
        WHERE d.status = 'PENDING' AND d.destination > destinations.destination
        ORDER BY d.destination LIMIT 1) next
    ), in_trouble AS MATERIALIZED (
      SELECT w.destination, w.opened_at IS NOT NULL AS is_probed
      FROM webhook_destinations w, clock
      WHERE (w.is_slow OR w.opened_at IS NOT NULL)
        AND (w.next_probe_at IS NULL OR w.next_probe_at <= clock.now)
        AND (w.alone_until IS NULL OR w.alone_until <= clock.now)
        AND w.destination NOT IN (SELECT destination FROM busy)
        AND EXISTS (SELECT FROM webhook_deliveries d
                    WHERE d.status = 'PENDING' AND d.destination = w.destination OFFSET 0)
      FOR UPDATE OF w SKIP LOCKED
    ), allowed AS (
      SELECT destination, coalesce(busy.sending, 0) AS sending,
             CASE WHEN coalesce(busy_for.sending, 0) >= $7 THEN 0
                  WHEN coalesce(busy_for.sending, 0) >= $12 OR $13 <= 0 THEN least($11::int, $4)
                  ELSE $4 END - coalesce(busy.sending, 0) AS free
      FROM destinations
      LEFT JOIN webhook_endpoints e ON e.id = destinations.endpoint_id
      LEFT JOIN busy USING (destination)
      LEFT JOIN busy_for ON busy_for.merchant_id = destinations.merchant_id
      WHERE e.status IS DISTINCT FROM 'PAUSED'
    ), open AS (
      SELECT destination, false AS is_alone, false AS is_probed, sending, free
      FROM allowed
      WHERE free > 0 AND NOT EXISTS (
        SELECT FROM webhook_destinations w
        WHERE w.destination = allowed.destination AND (w.is_slow OR w.opened_at IS NOT NULL))
      UNION ALL
      SELECT destination, true, is_probed, 0, 1
      FROM in_trouble JOIN allowed USING (destination)
      WHERE free > 0
    ), due AS MATERIALIZED (
      SELECT found.*, open.is_alone, open.is_probed,
             open.is_alone OR found.attempts > 0 AS retry,
             open.sending + row_number() OVER (PARTITION BY open.destination
                                                ORDER BY found.next_attempt_at) > $11 AS crowds
      FROM open, clock, LATERAL (
        SELECT d.id, d.destination, d.merchant_id, d.next_attempt_at, d.attempts,
               d.lease_token IS NOT NULL AS expired
        FROM webhook_deliveries d
        WHERE d.status = 'PENDING' AND d.destination = open.destination
          AND d.next_attempt_at <= CASE WHEN open.is_probed THEN 'infinity' ELSE clock.now END
          AND (d.leased_until IS NULL OR d.leased_until <= clock.now)
          AND NOT EXISTS (
            SELECT FROM webhook_deliveries earlier
            WHERE earlier.payment_request_id = d.payment_request_id
              AND earlier.sequence < d.sequence AND earlier.sequence > 0
              AND earlier.next_attempt_at IS NOT NULL
              AND (earlier.url = d.url OR earlier.endpoint_id = d.endpoint_id) OFFSET 0)
        ORDER BY d.next_attempt_at LIMIT open.free
        FOR UPDATE OF d SKIP LOCKED) found
    ), in_merchant AS (
      SELECT d.*, coalesce(busy.sending, 0)
                  + row_number() OVER (PARTITION BY merchant_id
                                       ORDER BY crowds, retry, next_attempt_at) AS of_merchant
      FROM due d
      LEFT JOIN busy_for busy USING (merchant_id)
    ), in_all AS (
      SELECT *, row_number() OVER (PARTITION BY retry ORDER BY next_attempt_at) AS of_kind,
             row_number() OVER (PARTITION BY crowds ORDER BY retry, next_attempt_at) AS of_crowd
      FROM in_merchant WHERE of_merchant <= CASE WHEN crowds THEN $12::int ELSE $7::int END
    ), chosen AS (
      SELECT id, expired, destination, is_alone, is_probed FROM in_all
      WHERE (NOT retry OR of_kind <= $3) AND (NOT crowds OR of_crowd <= $13)
      ORDER BY retry, next_attempt_at LIMIT $2
    ), taken AS (
      UPDATE webhook_destinations w SET alone_until = clock.now + make_interval(secs => $10)
      FROM chosen, clock WHERE w.destination = chosen.destination AND chosen.is_alone
    ), leased AS (
      UPDATE webhook_deliveries d
      SET lease_token = $1, leased_until = clock.now + make_interval(secs => $10),
          url = coalesce((SELECT e.url FROM webhook_endpoints e WHERE e.id = d.endpoint_id), d.url)
      FROM chosen, clock WHERE d.id = chosen.id
      RETURNING d.id, d.event_id, d.merchant_id, d.payment_request_id, d.sequence, d.endpoint_id,
                d.url, d.destination, d.attempts, d.uncounted_attempts, d.created_at,
                chosen.expired, chosen.is_alone, chosen.is_probed, clock.now
    )
    SELECT l.id, l.event_id AS "eventId", l.merchant_id AS "merchantId",
           l.payment_request_id AS "paymentRequestId", l.sequence, l.endpoint_id AS "endpointId",
           l.url, l.destination, l.attempts, l.uncounted_attempts AS "uncountedAttempts",
           l.expired AS "leaseExpired", l.is_alone AS "isAlone", l.is_probed AS "isProbe",
           v.event_type AS "eventType", v.body,
           CASE WHEN v.misbehaviour IS NOT NULL AND NOT EXISTS (
             SELECT FROM webhook_attempts a WHERE a.delivery_id = l.id
               AND (a.outcome = 'SUCCEEDED'
                    OR v.misbehaviour = 'BAD_SIGNATURE' AND a.http_status IS NOT NULL))
             THEN v.misbehaviour END AS misbehaviour,
           (extract(epoch FROM l.now - l.created_at) * 1000)::float8 AS "ageMs",
           coalesce(e.listener_username, m.listener_username) AS username,
           coalesce(e.listener_password_encrypted, m.listener_password_encrypted)
             AS "passwordEncrypted",
           array_remove(CASE WHEN e.id IS NULL
             THEN ARRAY[m.signing_secret_encrypted,
                        CASE WHEN m.previous_signing_secret_until > l.now
                        THEN m.previous_signing_secret_encrypted END]
             ELSE ARRAY[e.signing_secret_encrypted,
                        CASE WHEN e.previous_signing_secret_until > l.now
                        THEN e.previous_signing_secret_encrypted END]
           END, NULL) AS "signingSecretsEncrypted"
    FROM leased l
    JOIN webhook_events v ON v.id = l.event_id
    JOIN merchants m ON m.id = l.merchant_id
    LEFT JOIN webhook_endpoints e ON e.id = l.endpoint_id`,
};

// The destination may be sent to again as well, where it had this one alone.
const RELEASE = {
  name: 'webhook-delivery-release',
  text: `WITH released AS (
           UPDATE webhook_deliveries d
           SET lease_token = NULL, leased_until = NULL,
               next_attempt_at = CASE WHEN $4 = 0 THEN next_attempt_at
                                      ELSE service_now() + make_interval(secs => $4) END
           FROM unnest($1::uuid[], $2::uuid[], $3::boolean[]) AS r (id, lease_token, is_alone)
           WHERE d.id = r.id AND d.lease_token = r.lease_token
           RETURNING d.destination, r.is_alone)
         UPDATE webhook_destinations SET alone_until = NULL
         WHERE destination IN (SELECT destination FROM released WHERE is_alone)`,
};

// What a paused endpoint is owed, or a sender is sending, does not wait for us; nor does, until its
// next probe, what a destination is owed that is only probed.
/** What may be claimed: the sender's slots, less what it is sending already. */
export interface ClaimLimits {
  readonly most: number;
  readonly mostRetries: number;
  readonly mostPerDestination: number;
  readonly mostPerMerchant: number;
  /** A destination with more than this is crowded: the next two limits hold for the rest of it. */
  readonly mostUncrowded: number;
  readonly mostPerMerchantCrowding: number;
  readonly mostCrowding: number;
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
  /** In the sandbox only, and null once the listener has met it. */
  readonly misbehaviour: WebhookMisbehaviour | null;
  readonly merchantId: string;
  readonly paymentRequestId: string;
  readonly sequence: number;
  /** null: the payment request's own URL, with the merchant's default credentials. */
  readonly endpointId: string | null;
  readonly url: string;
  readonly destination: string;
  /** How many were made before. */
  readonly attempts: number;
  /** Those of them that do not count towards the schedule's end. */
  readonly uncountedAttempts: number;
  /** The destination is in trouble: this is the one that it is sent at a time. */
  readonly isAlone: boolean;
  /** Sent to see whether the destination is back: it uses up no attempt. */
  readonly isProbe: boolean;
  /** Another sender had the lease and did not come back in time. */
  readonly leaseExpired: boolean;
  /** From the event's transaction to the claim. */
  readonly ageMs: number;
  readonly username: string;
  readonly passwordEncrypted: Buffer;
  readonly signingSecretsEncrypted: readonly Buffer[];
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
    limits.mostUncrowded,
    limits.mostPerMerchantCrowding,
    limits.mostCrowding,
  ]);
  return rows.map((row) => ({ ...row, leaseToken }));
}

/** Gives leases back without an attempt; the deliveries fall due `delaySeconds` from now. */
export async function releaseDeliveries(
  db: Executor,
  deliveries: readonly Pick<ClaimedDelivery, 'id' | 'leaseToken' | 'isAlone'>[],
  delaySeconds: number,
): Promise<void> {
  if (deliveries.length === 0) return;
  await db.query(RELEASE, [
    deliveries.map(({ id }) => id),
    deliveries.map(({ leaseToken }) => leaseToken),
    deliveries.map(({ isAlone }) => isAlone),
    delaySeconds,
  ]);
}
