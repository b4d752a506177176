import type { Executor } from '#database/database.ts';
import type { ClaimLimits } from './concurrency-limits.ts';
import { type ClaimedDelivery, IS_NEXT, LEASE } from './lease-store.ts';

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
 * | $1, $2 | lease token, seconds | $3, $7 | limit of deliveries, of retries |
 * | $4, $8 | limit per origin, per merchant | $13 | fair share of an origin |
 * | $14, $15 | limit over the share, per merchant and in all | $9, $10 | in flight by destination |
 * | $5, $6 | in flight by origin | $11, $12 | in flight by merchant |
 *
 * queues: destinations with pending deliveries. holding: origins whose URLs hold deliveries.
 * allowed: queues with their free slots. well: those without a breaker. in_trouble: those that are
 * slow or probed, their row locked. turns: held URLs of well origins that a probe awaits. open: all
 * queues to read. due: the due deliveries, locked. at_origin, in_merchant, in_all: ranks for the
 * limits. chosen: within all limits. taken: serialises destinations.
 */
const CLAIM = {
  name: 'webhook-delivery-claim',
  text: `
    WITH RECURSIVE clock AS MATERIALIZED (
      SELECT service_now() AS now
    ), busy AS MATERIALIZED (
      SELECT * FROM unnest($9::text[], $10::int[]) AS busy (destination, sending)
    ), busy_at AS MATERIALIZED (
      SELECT * FROM unnest($5::text[], $6::int[]) AS busy_at (origin, sending)
    ), busy_for AS MATERIALIZED (
      SELECT * FROM unnest($11::text[], $12::int[]) AS busy (merchant_id, sending)
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
             CASE WHEN coalesce(busy_for.sending, 0) >= $8 THEN 0
                  WHEN coalesce(busy_for.sending, 0) >= $14 OR $15 <= 0 THEN least($13::int, $4)
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
          AND ${IS_NEXT}
        ORDER BY d.next_attempt_at LIMIT open.free
        FOR UPDATE OF d SKIP LOCKED) found
    ), at_origin AS (
      SELECT *, sending + row_number() OVER (PARTITION BY origin
                                            ORDER BY alone_at IS NULL, next_attempt_at)
                AS of_origin
      FROM due WHERE turn = 1
    ), in_merchant AS (
      SELECT d.*, of_origin > $13 AS crowds, coalesce(busy.sending, 0)
                  + row_number() OVER (PARTITION BY merchant_id
                                       ORDER BY of_origin > $13, retry, next_attempt_at)
                  AS of_merchant
      FROM at_origin d
      LEFT JOIN busy_for busy USING (merchant_id)
      WHERE of_origin <= $4
    ), in_all AS (
      SELECT *, count(*) FILTER (WHERE retry) OVER in_order AS of_kind,
             count(*) FILTER (WHERE crowds) OVER in_order AS of_crowd
      FROM in_merchant WHERE of_merchant <= CASE WHEN crowds THEN $14::int ELSE $8::int END
      WINDOW in_order AS (ORDER BY retry, next_attempt_at ROWS UNBOUNDED PRECEDING)
    ), chosen AS (
      SELECT * FROM in_all
      WHERE (NOT retry OR of_kind <= $7) AND (NOT crowds OR of_crowd <= $15)
      ORDER BY retry, next_attempt_at LIMIT $3
    ), taken AS (
      UPDATE webhook_destinations w SET alone_until = clock.now + make_interval(secs => $2)
      FROM chosen, clock WHERE w.destination = chosen.alone_at
    ), ${LEASE}`,
};

/**
 * Leases the deliveries of named payment requests ($7): a few index probes, however many
 * destinations are owed something. Payment requests that owe a destination in trouble, and the
 * limits of a merchant and of all slots, are left to the other statement: what is leased here of a
 * payment request is all that is due of it.
 *
 * `(SELECT $7)` hides the lengths of arrays from the planner, which would plan for each of them.
 */
const CLAIM_NAMED = {
  name: 'webhook-delivery-claim-named',
  text: `
    WITH clock AS MATERIALIZED (
      SELECT service_now() AS now
    ), due AS MATERIALIZED (
      SELECT found.*
      FROM unnest((SELECT $7::uuid[])) AS named (id), clock, LATERAL (
        SELECT d.id, d.destination, d.next_attempt_at, d.lease_token IS NOT NULL AS expired,
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
      SELECT id, destination AS of_destination, destination AS queue, at_origin.origin, expired,
             NULL::text AS alone_at, false AS is_probed
      FROM at_origin LEFT JOIN unnest((SELECT $5::text[]), $6::int[]) AS busy (origin, sending)
        ON busy.origin = at_origin.origin
      WHERE coalesce(sending, 0) + of_origin <= $4
      LIMIT $3
    ), ${LEASE}`,
};

/** Leases due deliveries within `limits` in one statement, which is committed on return. */
export async function claimDeliveries(
  db: Executor,
  leaseToken: string,
  leaseSeconds: number,
  limits: ClaimLimits,
  /** A few payment requests, whose deliveries alone are looked for; none: all due deliveries. */
  named: readonly string[] = [],
): Promise<ClaimedDelivery[]> {
  const { most, mostPerOrigin, sendingAt, sendingTo, sendingFor } = limits;
  const values = [leaseToken, leaseSeconds, most, mostPerOrigin, ...countsOf(sendingAt)];
  const rest = [
    limits.mostRetries,
    limits.mostPerMerchant,
    ...countsOf(sendingTo),
    ...countsOf(sendingFor),
    limits.fairPerOrigin,
    limits.mostPerMerchantOverShare,
    limits.mostOverShare,
  ];
  const rows = await (named.length > 0
    ? db.query<Row>(CLAIM_NAMED, [...values, named])
    : db.query<Row>(CLAIM, [...values, ...rest]));
  return rows.map((row) => ({ ...row, leaseToken }));
}

type Row = Omit<ClaimedDelivery, 'leaseToken'>;

function countsOf(counts: ReadonlyMap<string, number>) {
  return [[...counts.keys()], [...counts.values()]];
}
