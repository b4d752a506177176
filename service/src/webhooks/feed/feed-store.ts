import { COMMIT_BOUNDS } from '#database/commit-order/commit-cursor.ts';
import type { Executor, Statement } from '#database/database.ts';
import type { FeedPosition } from './cursor.ts';

/**
 * Shows only events below every transaction that runs when the statement begins. Otherwise a
 * transaction with a lower number that commits later would lie behind a cursor given out before.
 * Tests of endpoints are no events.
 */
const READ: Statement = {
  name: 'event-feed-read',
  text: `${COMMIT_BOUNDS}
    SELECT $2::xid8 > bounds.next AS "isAhead",
           e.transaction_id::text AS "transactionId", e.feed_position::text AS position, e.body
    FROM bounds LEFT JOIN LATERAL (
      SELECT * FROM webhook_events e
      WHERE e.merchant_id = $1 AND NOT e.is_test
        AND (e.transaction_id, e.feed_position) > ($2::xid8, $3::bigint)
        AND e.transaction_id < bounds.oldest_running
      ORDER BY e.transaction_id, e.feed_position LIMIT $4) e ON true
    ORDER BY e.transaction_id, e.feed_position`,
};

/** The place of a committed event: after a crash, only rolled-back numbers are given out again. */
const FIND_LATEST: Statement = {
  name: 'event-feed-find-latest',
  text: `
    SELECT e.transaction_id::text AS "transactionId", e.feed_position::text AS position
    FROM webhook_events e
    WHERE e.merchant_id = $1 AND NOT e.is_test
      AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
    ORDER BY e.transaction_id DESC, e.feed_position DESC LIMIT 1`,
};

const FIND_BEHIND: Statement = {
  name: 'event-feed-find-behind',
  text: `
    SELECT a.number::int AS number
    FROM unnest($1::text[], $2::xid8[], $3::bigint[])
      WITH ORDINALITY AS a (merchant_id, transaction_id, feed_position, number)
    WHERE EXISTS (
      SELECT FROM webhook_events e
      WHERE e.merchant_id = a.merchant_id AND NOT e.is_test
        AND (e.transaction_id, e.feed_position) > (a.transaction_id, a.feed_position)
        AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot()))`,
};

export interface FeedEvent extends FeedPosition {
  /** The webhook's body: JSON text that goes into the answer unchanged. */
  readonly body: string;
}

export interface FeedPage {
  /** Oldest first. */
  readonly events: readonly FeedEvent[];
  /** The place lies beyond every place that this database has given out. */
  readonly isAhead: boolean;
}

/** Up to `limit` events of a merchant after a place. */
export async function readFeed(
  db: Executor,
  merchantId: string,
  after: FeedPosition,
  limit: number,
): Promise<FeedPage> {
  type Row = { isAhead: boolean } & { [Key in keyof FeedEvent]: string };
  const rows = await db.query<Row>(READ, [merchantId, after.transactionId, after.position, limit]);
  const events = rows.filter(({ body }) => body !== null);
  return { events, isAhead: rows[0]?.isAhead ?? false };
}

/** The place of a merchant's last event that can be shown now; null without events. */
export async function findLatest(db: Executor, merchantId: string): Promise<FeedPosition | null> {
  const [row] = await db.query<FeedPosition>(FIND_LATEST, [merchantId]);
  return row ?? null;
}

/** The indexes of the followers whose feeds have events after their places. */
export async function findBehind(
  db: Executor,
  followers: readonly { readonly merchantId: string; readonly after: FeedPosition }[],
): Promise<number[]> {
  const rows = await db.query<{ number: number }>(FIND_BEHIND, [
    followers.map(({ merchantId }) => merchantId),
    followers.map(({ after }) => after.transactionId),
    followers.map(({ after }) => after.position),
  ]);
  return rows.map(({ number }) => number - 1);
}
