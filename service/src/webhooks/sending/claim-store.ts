import type { Executor } from '#database/database.ts';
import type { WebhookMisbehaviour } from '#webhooks/model/misbehaviour.ts';
import type { ClaimLimits } from './concurrency-limits.ts';

/** Several URLs of an origin in trouble: a queue's first delivery may wait for an earlier event. */
const MOST_URLS_TRIED = 8;

/**
 * Leases deliveries that are due. The statement walks from destination to destination, each an
 * index probe, and takes from each what its connections allow: it does not read the backlog of a
 * hanging listener to find what another one is owed. An earlier event of the same payment request
 * to the same URL or endpoint goes first; the event with sequence 1 waits for none. A paused
 * endpoint's deliveries are held. When a limit cuts, first attempts go before retries. An endpoint
 * that has moved is sent what it is owed at its current URL, never its new credentials at the old
 * URL.
 *
 * Requests to one origin of a merchant count together. Deliveries beyond a few of an origin are
 * kept from the second half of the merchant's slots and of all slots.
 *
 * A destination in trouble is sent one at a time, by one process, which its locked row decides. A
 * slow one is sent what is due next. A probed one is sent anything, when its time has come. The
 * deliveries of a failing URL wait under its own destination (a queue, named `~…`), which the walk
 * leaves out: a claim reads only the few URLs of an origin whose probe is due. An origin that is
 * probed is sent the least recently tried URL first; those under the origin itself count as never
 * tried. A claimed delivery that belongs into its URL's queue is answered as `isHeld`.
 *
 * Each part can use one index only, and OFFSET 0 or LIMIT keeps the parts apart: statistics that
 * were taken when nothing was owed call every way equally short, and others read the whole backlog.
 *
 * | parameter | value | parameter | value |
 * |---|---|---|---|
 * | $1, $10 | lease token, seconds | $2, $3 | limit of deliveries, of retries |
 * | $4, $7 | limit per origin, per merchant | $11 | fair share of an origin |
 * | $12, $13 | limit over the share, per merchant and in all | $5, $6 | in flight by destination |
 * | $14, $15 | in flight by origin | $8, $9 | in flight by merchant |
 *
 * queues: destinations with pending deliveries. holding: origins whose URLs hold deliveries.
 * allowed: queues with their free slots. well: those without a breaker. in_trouble: those that are
 * slow or probed, their row locked. turns: held URLs of well origins that a probe awaits. open: all
 * queues to read. due: the due deliveries, locked. at_origin, in_merchant, in_all: ranks for the
 * limits. chosen: within all limits. taken: serialises destinations. leased: writes the leases.
 */
const CLAIM = {
  name: 'webhook-delivery-claim',
  text: `
    WITH RECURSIVE clock AS MATERIALIZED (
      SELECT service_now() AS now
    ), busy AS MATERIALIZED (
      SELECT * FROM unnest($5::text[], $6::int[]) AS busy (destination, sending)
    ), busy_at AS MATERIALIZED (
      SELECT * FROM unnest($14::text[], $15::int[]) AS busy_at (origin, sending)
    ), busy_for AS MATERIALIZED (
      SELECT * FROM unnest($8::text[], $9::int[]) AS busy (merchant_id, sending)
    ), queues AS (
      (SELECT destination, endpoint_id, merchant_id FROM webhook_deliveries
       WHERE status = 'PENDING' AND destination < '~' ORDER BY destination LIMIT 1)
      UNION ALL
      SELECT next.destination, next.endpoint_id, next.merchant_id
      FROM queues, LATERAL (
        SELECT d.destination, d.endpoint_id, d.merchant_id FROM webhook_deliveries d
        WHERE d.status = 'PENDING' AND d.destination > queues.destination AND d.destination < '~'
        ORDER BY d.destination LIMIT 1) next
    ), holding AS (
      (SELECT origin FROM webhook_destinations WHERE is_holding ORDER BY origin LIMIT 1)
      UNION ALL
      SELECT next.origin
      FROM holding, LATERAL (
        SELECT w.origin FROM webhook_destinations w
        WHERE w.is_holding AND w.origin > holding.origin ORDER BY w.origin LIMIT 1) next
    ), allowed AS MATERIALIZED (
      SELECT d.destination, at.origin, coalesce(busy_at.sending, 0) AS sending,
             holding.origin IS NOT NULL AS is_holding,
             CASE WHEN coalesce(busy_for.sending, 0) >= $7 THEN 0
                  WHEN coalesce(busy_for.sending, 0) >= $12 OR $13 <= 0 THEN least($11::int, $4)
                  ELSE $4 END - coalesce(busy_at.sending, 0) AS free
      FROM (
        SELECT destination, endpoint_id, merchant_id FROM queues
        UNION ALL
        SELECT origin, NULL, split_part(origin, ' ', 1) FROM holding
        WHERE origin NOT IN (SELECT destination FROM queues)) d
      LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id
      CROSS JOIN LATERAL (
        SELECT CASE WHEN e.id IS NULL THEN d.destination
               ELSE webhook_origin_key(d.merchant_id, e.url) END AS origin OFFSET 0) at
      LEFT JOIN holding ON holding.origin = d.destination
      LEFT JOIN busy_at ON busy_at.origin = at.origin
      LEFT JOIN busy_for ON busy_for.merchant_id = d.merchant_id
      WHERE e.status IS DISTINCT FROM 'PAUSED'
    ), well AS MATERIALIZED (
      SELECT * FROM allowed
      WHERE free > 0 AND NOT EXISTS (
        SELECT FROM webhook_destinations w
        WHERE w.destination = allowed.destination AND (w.is_slow OR w.opened_at IS NOT NULL)
        OFFSET 0)
    ), in_trouble AS MATERIALIZED (
      SELECT allowed.*, w.is_probed
      FROM allowed, clock, LATERAL (
        SELECT w.opened_at IS NOT NULL AS is_probed FROM webhook_destinations w
        WHERE w.destination = allowed.destination AND (w.is_slow OR w.opened_at IS NOT NULL)
          AND (w.next_probe_at IS NULL OR w.next_probe_at <= clock.now)
          AND (w.alone_until IS NULL OR w.alone_until <= clock.now)
        LIMIT 1
        FOR UPDATE OF w SKIP LOCKED) w
      WHERE free > 0 AND destination NOT IN (SELECT destination FROM busy)
    ), turns AS MATERIALIZED (
      SELECT well.*, w.destination AS queue
      FROM well, clock, LATERAL (
        SELECT w.destination FROM webhook_destinations w
        WHERE w.is_holding AND w.origin = well.destination AND w.next_probe_at <= clock.now
          AND (w.alone_until IS NULL OR w.alone_until <= clock.now)
        ORDER BY w.next_probe_at LIMIT well.free
        FOR UPDATE OF w SKIP LOCKED) w
      WHERE well.is_holding
    ), open AS (
      SELECT destination, destination AS queue, NULL AS alone_at, false AS is_probed, origin,
             sending, free, NULL::timestamptz AS tried_at
      FROM well
      UNION ALL
      SELECT destination, queue, queue, true, origin, sending, 1, NULL FROM turns
      UNION ALL
      SELECT destination, destination, destination, is_probed, origin, sending, 1, '-infinity'
      FROM in_trouble
      UNION ALL
      SELECT t.destination, w.destination, t.destination, true, t.origin, t.sending, 1,
             w.updated_at
      FROM in_trouble t, clock, LATERAL (
        (SELECT w.destination, w.updated_at FROM webhook_destinations w
         WHERE t.is_probed AND w.is_holding AND w.origin = t.destination
         ORDER BY w.updated_at LIMIT ${MOST_URLS_TRIED})
        UNION ALL
        (SELECT w.destination, w.updated_at FROM webhook_destinations w
         WHERE NOT t.is_probed AND w.is_holding AND w.origin = t.destination
           AND w.next_probe_at <= clock.now
         ORDER BY w.next_probe_at LIMIT ${MOST_URLS_TRIED})) w
      WHERE t.is_holding
    ), due AS MATERIALIZED (
      SELECT found.*, open.destination AS of_destination, open.queue, open.alone_at,
             open.is_probed, open.origin, open.sending,
             open.alone_at IS NOT NULL OR found.attempts > 0 AS retry,
             CASE WHEN open.alone_at IS NULL THEN 1 ELSE
               row_number() OVER (PARTITION BY open.alone_at ORDER BY open.tried_at) END AS turn
      FROM open, clock, LATERAL (
        SELECT d.id, d.merchant_id, d.next_attempt_at, d.attempts,
               d.lease_token IS NOT NULL AS expired
        FROM webhook_deliveries d
        WHERE d.status = 'PENDING' AND d.destination = open.queue
          AND d.next_attempt_at <= CASE WHEN open.is_probed THEN 'infinity' ELSE clock.now END
          AND (d.leased_until IS NULL OR d.leased_until <= clock.now)
          AND (d.sequence <= 1 OR NOT EXISTS (
            SELECT FROM webhook_deliveries earlier
            LEFT JOIN webhook_endpoints e ON e.id = earlier.endpoint_id
            WHERE earlier.payment_request_id = d.payment_request_id
              AND earlier.sequence < d.sequence AND earlier.sequence > 0
              AND earlier.next_attempt_at IS NOT NULL
              AND (earlier.endpoint_id = d.endpoint_id OR coalesce(e.url, earlier.url)
                = coalesce((SELECT url FROM webhook_endpoints WHERE id = d.endpoint_id), d.url))
              OFFSET 0))
        ORDER BY d.next_attempt_at LIMIT open.free
        FOR UPDATE OF d SKIP LOCKED) found
    ), at_origin AS (
      SELECT *, sending + row_number() OVER (PARTITION BY origin
                                            ORDER BY alone_at IS NULL, next_attempt_at)
                AS of_origin
      FROM due WHERE turn = 1
    ), in_merchant AS (
      SELECT d.*, of_origin > $11 AS crowds, coalesce(busy.sending, 0)
                  + row_number() OVER (PARTITION BY merchant_id
                                       ORDER BY of_origin > $11, retry, next_attempt_at)
                  AS of_merchant
      FROM at_origin d
      LEFT JOIN busy_for busy USING (merchant_id)
      WHERE of_origin <= $4
    ), in_all AS (
      SELECT *, count(*) FILTER (WHERE retry) OVER in_order AS of_kind,
             count(*) FILTER (WHERE crowds) OVER in_order AS of_crowd
      FROM in_merchant WHERE of_merchant <= CASE WHEN crowds THEN $12::int ELSE $7::int END
      WINDOW in_order AS (ORDER BY retry, next_attempt_at ROWS UNBOUNDED PRECEDING)
    ), chosen AS (
      SELECT * FROM in_all
      WHERE (NOT retry OR of_kind <= $3) AND (NOT crowds OR of_crowd <= $13)
      ORDER BY retry, next_attempt_at LIMIT $2
    ), taken AS (
      UPDATE webhook_destinations w SET alone_until = clock.now + make_interval(secs => $10)
      FROM chosen, clock WHERE w.destination = chosen.alone_at
    ), leased AS (
      UPDATE webhook_deliveries d
      SET lease_token = $1, leased_until = clock.now + make_interval(secs => $10),
          url = coalesce((SELECT e.url FROM webhook_endpoints e WHERE e.id = d.endpoint_id), d.url)
      FROM chosen, clock WHERE d.id = chosen.id
      RETURNING d.id, d.event_id, d.merchant_id, d.payment_request_id, d.sequence, d.endpoint_id,
                d.url, d.attempts, d.uncounted_attempts, d.created_at, chosen.of_destination,
                chosen.queue, chosen.origin, chosen.expired, chosen.alone_at, chosen.is_probed,
                CASE WHEN d.endpoint_id IS NULL THEN webhook_url_key(d.merchant_id, d.url) END
                  AS url_key, clock.now
    )
    SELECT l.id, l.event_id AS "eventId", l.merchant_id AS "merchantId",
           l.payment_request_id AS "paymentRequestId", l.sequence, l.endpoint_id AS "endpointId",
           l.url, l.of_destination AS destination, l.origin, l.url_key AS "urlKey", l.attempts,
           l.uncounted_attempts AS "uncountedAttempts", l.expired AS "leaseExpired",
           l.alone_at AS "serialisedAt", l.is_probed AS "isProbe",
           l.queue = l.of_destination AND EXISTS (
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
  readonly passwordEncrypted: Buffer;
  readonly signingSecretsEncrypted: readonly Buffer[];
}

/** Leases due deliveries within `limits` in one statement, which is committed on return. */
export async function claimDeliveries(
  db: Executor,
  leaseToken: string,
  leaseSeconds: number,
  limits: ClaimLimits,
): Promise<ClaimedDelivery[]> {
  const { most, mostRetries, mostPerOrigin, mostPerMerchant } = limits;
  const rows = await db.query<Omit<ClaimedDelivery, 'leaseToken'>>(CLAIM, [
    leaseToken,
    most,
    mostRetries,
    mostPerOrigin,
    [...limits.sendingTo.keys()],
    [...limits.sendingTo.values()],
    mostPerMerchant,
    [...limits.sendingFor.keys()],
    [...limits.sendingFor.values()],
    leaseSeconds,
    limits.fairPerOrigin,
    limits.mostPerMerchantOverShare,
    limits.mostOverShare,
    [...limits.sendingAt.keys()],
    [...limits.sendingAt.values()],
  ]);
  return rows.map((row) => ({ ...row, leaseToken }));
}
