import type { Executor } from '#database/database.ts';
import { CLAIM_NAMED } from './claim-named-store.ts';
import type { ClaimLimits } from './concurrency-limits.ts';
import { CLOCK, type ClaimedDelivery, IS_NEXT, LEASE } from './lease-store.ts';
import { ALLOWED, BUSY, type DestinationWalk, WALK } from './walk-store.ts';

/** Several URLs of an origin in trouble: a queue's first delivery may wait for an earlier event. */
const MOST_URLS_TRIED = 8;

/**
 * well: destinations without a breaker.
 * in_trouble: those that are slow or probed, their row locked: sent one at a time, by one process.
 * A slow one is sent what is due next; a probed one is sent anything, when its time has come.
 * turns: URLs of well origins that hold deliveries, and whose probe is due.
 * open: all queues to read. An origin that is probed is sent the least recently tried URL first;
 * those under the origin itself count as never tried.
 */
const OPEN = `
    well AS MATERIALIZED (
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
      SELECT destination, destination AS queue, NULL AS alone_at, false AS is_probed, origin, url,
             sending, free, NULL::timestamptz AS tried_at
      FROM well, clock WHERE first_due_at <= clock.now
      UNION ALL
      SELECT destination, queue, queue, true, origin, url, sending, 1, NULL FROM turns
      UNION ALL
      SELECT destination, destination, destination, is_probed, origin, url, sending, 1,
             '-infinity'
      FROM in_trouble
      UNION ALL
      SELECT t.destination, w.destination, t.destination, true, t.origin, t.url,
             t.sending, 1, w.updated_at
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
    )`;

/** The due deliveries of open queues, locked, in their order ({@link IS_NEXT}). */
const DUE = `
    due AS MATERIALIZED (
      SELECT found.*, open.destination AS of_destination, open.queue, open.alone_at,
             open.is_probed, open.origin, open.url, open.sending,
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
    )`;

/**
 * Ranks deliveries for the limits of their origin, of their merchant, of retries ($7) and of all
 * ($3). When a limit cuts, first attempts go before retries.
 */
const CHOSEN = `
    at_origin AS (
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
    )`;

/** Keeps other processes from destinations in trouble, as long as the lease. */
const TAKEN = `
    taken AS (
      UPDATE webhook_destinations w SET alone_until = clock.now + make_interval(secs => $2)
      FROM chosen, clock WHERE w.destination = chosen.alone_at
    )`;

/**
 * Leases deliveries that are due, within all limits, at a page of destinations. An endpoint that
 * has moved is sent what it is owed at its current URL, never its new credentials at the old URL.
 * A claimed delivery that belongs into its URL's queue is answered as `isHeld`.
 *
 * Each part can use one index only, and OFFSET 0 or LIMIT keeps the parts apart: statistics that
 * were taken when nothing was owed call every way equally short, and others read the whole backlog.
 */
const CLAIM = {
  name: 'webhook-delivery-claim',
  text: `WITH RECURSIVE ${[CLOCK, BUSY, WALK, ALLOWED, OPEN, DUE, CHOSEN, TAKEN, LEASE].join(',')}
    SELECT * FROM page LEFT JOIN claimed ON true`,
};

/**
 * Leases due deliveries within `limits` in one statement, which is committed on return: those of
 * named payment requests, or those of the walk's next page of destinations.
 */
export async function claimDeliveries(
  db: Executor,
  leaseToken: string,
  leaseSeconds: number,
  limits: ClaimLimits,
  /** A few payment requests, whose deliveries alone are looked for; none: those of the walk. */
  named: readonly string[] = [],
  walk: DestinationWalk = { position: '' },
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
    walk.position,
  ];
  if (named.length > 0) {
    const rows = await db.query<Row>(CLAIM_NAMED, [...values, named]);
    return rows.map((row) => ({ ...row, leaseToken }));
  }
  const rows = await db.query<PageRow>(CLAIM, [...values, ...rest]);
  walk.position = rows[0]?.walkedTo ?? '';
  // A page without a delivery has a row, too.
  return rows.flatMap(({ walkedTo, ...row }) => (row.id === null ? [] : [{ ...row, leaseToken }]));
}

type Row = Omit<ClaimedDelivery, 'leaseToken'>;
type PageRow = Row & { readonly walkedTo: string | null };

function countsOf(counts: ReadonlyMap<string, number>) {
  return [[...counts.keys()], [...counts.values()]];
}
