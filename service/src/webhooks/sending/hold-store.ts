import type { Executor } from '#database/database.ts';
import { allValues, execute, rowCount } from '#database/statements.ts';

/** Some ten milliseconds of one statement; the next statement moves more. */
const MOST_AT_ONCE = 1_000;

/**
 * Looks ahead in an origin's queue, and moves up to 1,000 deliveries of failing URLs to the URLs'
 * own queues. While the origin itself is probed, every URL that has failed lately counts, due or
 * not: the deliveries that stay were never tried. The statement waits for a process that settles
 * such a URL: afterwards the URL's row says whether it still fails.
 *
 * @returns how many
 */
export const holdDeliveries = rowCount<[origin: string, isOriginProbed: boolean]>(
  'webhook-hold-look-ahead',
  `WITH ahead AS MATERIALIZED (
    SELECT d.id, webhook_url_key(d.merchant_id, d.url) AS url_key
    FROM webhook_deliveries d
    WHERE d.status = 'PENDING' AND d.destination = $1 AND d.endpoint_id IS NULL
      AND d.next_attempt_at <= CASE WHEN $2 THEN 'infinity' ELSE service_now() END
      AND (d.leased_until IS NULL OR d.leased_until <= service_now())
    ORDER BY d.next_attempt_at LIMIT ${MOST_AT_ONCE}
    FOR UPDATE OF d SKIP LOCKED
  ), failing AS MATERIALIZED (
    SELECT destination FROM webhook_destinations
    WHERE destination IN (SELECT url_key FROM ahead) AND (opened_at IS NOT NULL OR $2)
    ORDER BY destination FOR UPDATE
  ), marked AS (
    UPDATE webhook_destinations SET is_holding = true
    WHERE destination IN (SELECT destination FROM failing) AND NOT is_holding
  )
  UPDATE webhook_deliveries d SET destination = ahead.url_key
  FROM ahead JOIN failing ON failing.destination = ahead.url_key
  WHERE d.id = ahead.id
  RETURNING d.id`,
);

/** Moves deliveries that were just tried to the queues of their URLs, whose rows are locked. */
export const holdTried = execute<
  [tried: readonly { readonly id: string; readonly urlKey: string }[]]
>(
  'webhook-hold-tried',
  `WITH tried AS MATERIALIZED (
    SELECT d.id, r.url_key
    FROM unnest($1::uuid[], $2::text[]) AS r (id, url_key)
    JOIN webhook_deliveries d ON d.id = r.id
    WHERE d.status = 'PENDING' AND d.lease_token IS NULL
    FOR UPDATE OF d SKIP LOCKED
  ), marked AS (
    UPDATE webhook_destinations SET is_holding = true
    WHERE destination IN (SELECT url_key FROM tried)
  )
  UPDATE webhook_deliveries d SET destination = tried.url_key
  FROM tried WHERE d.id = tried.id`,
  (tried) => [tried.map(({ id }) => id), tried.map(({ urlKey }) => urlKey)],
);

const moveBack = rowCount<[urlKeys: readonly string[]]>(
  'webhook-hold-give-back',
  `UPDATE webhook_deliveries d
  SET destination = webhook_origin_key(d.merchant_id, d.url)
  WHERE d.id IN (
    SELECT held.id FROM unnest($1::text[]) AS u (url_key), LATERAL (
      SELECT id FROM webhook_deliveries
      WHERE status = 'PENDING' AND destination = u.url_key
      LIMIT ${MOST_AT_ONCE} FOR UPDATE SKIP LOCKED) held
    LIMIT ${MOST_AT_ONCE})
  RETURNING d.id`,
);

// A walk over the queues of URLs, an index probe each.
const moveStraysBack = rowCount(
  'webhook-hold-give-back-strays',
  `WITH RECURSIVE queues AS (
    (SELECT destination FROM webhook_deliveries
     WHERE status = 'PENDING' AND destination >= '~' ORDER BY destination LIMIT 1)
    UNION ALL
    SELECT next.destination FROM queues, LATERAL (
      SELECT d.destination FROM webhook_deliveries d
      WHERE d.status = 'PENDING' AND d.destination > queues.destination
      ORDER BY d.destination LIMIT 1) next)
  UPDATE webhook_deliveries d
  SET destination = webhook_origin_key(d.merchant_id, d.url)
  WHERE d.id IN (
    SELECT held.id FROM queues, LATERAL (
      SELECT id FROM webhook_deliveries
      WHERE status = 'PENDING' AND destination = queues.destination
      LIMIT ${MOST_AT_ONCE} FOR UPDATE SKIP LOCKED) held
    WHERE NOT EXISTS (
      SELECT FROM webhook_destinations w
      WHERE w.destination = queues.destination AND w.is_holding)
    LIMIT ${MOST_AT_ONCE})
  RETURNING d.id`,
);

/** A URL that a process settles or holds at the moment is left for the next time. */
const clearEmpty = rowCount(
  'webhook-hold-clear-empty',
  `UPDATE webhook_destinations SET is_holding = false
  WHERE destination IN (
    SELECT destination FROM webhook_destinations w
    WHERE w.is_holding AND NOT EXISTS (
      SELECT FROM webhook_deliveries d
      WHERE d.status = 'PENDING' AND d.destination = w.destination OFFSET 0)
    LIMIT ${MOST_AT_ONCE} FOR UPDATE SKIP LOCKED)
  RETURNING destination`,
);

/**
 * Frees the URLs of origins that answer again, but for those that fail themselves. Locks in order,
 * like every statement here that waits: two of them must not wait in a circle.
 */
export const releaseOrigins = allValues<string, [origins: readonly string[]]>(
  'webhook-hold-release-origins',
  `UPDATE webhook_destinations SET is_holding = false
  WHERE destination IN (
    SELECT destination FROM webhook_destinations
    WHERE origin = ANY ($1::text[]) AND is_holding AND opened_at IS NULL
    ORDER BY destination FOR UPDATE)
  RETURNING destination`,
);

/**
 * Moves up to 1,000 deliveries from the queues of URLs to those of their origins.
 *
 * @returns whether more may be left
 */
export async function giveBack(db: Executor, urlKeys: readonly string[]): Promise<boolean> {
  return urlKeys.length > 0 && (await moveBack(db, urlKeys)) === MOST_AT_ONCE;
}

/**
 * Clears up to 1,000 URLs whose queue is empty, and moves up to 1,000 deliveries from queues that
 * no URL holds: a process that ended in between left them, or code of the version before.
 *
 * @returns whether more may be left
 */
export async function giveBackStrays(db: Executor): Promise<boolean> {
  const counts = [await clearEmpty(db), await moveStraysBack(db)];
  return counts.includes(MOST_AT_ONCE);
}
