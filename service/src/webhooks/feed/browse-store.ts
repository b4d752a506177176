import { COMMIT_BOUNDS } from '#database/commit-order/commit-cursor.ts';
import type { Executor, Statement } from '#database/database.ts';
import type { FeedPosition } from './cursor.ts';
import { type FeedEvent, MOST_SEEN } from './feed-store.ts';

/** Reads the index webhook_events_feed backwards, and ends as soon as a page is full. */
const seen = (condition: string) => `
  SELECT w.* FROM webhook_events w
  WHERE w.merchant_id = $1
    AND ($2::xid8 IS NULL OR (w.transaction_id, w.feed_position) < ($2, $3::bigint))
    AND w.transaction_id < bounds.oldest_running AND ${condition}
  ORDER BY w.transaction_id DESC, w.feed_position DESC LIMIT ${MOST_SEEN}`;

/** Keeps to the bound of the feed itself: every place that it gives out is one of the feed. */
const READ: Statement = {
  name: 'event-feed-browse',
  text: `${COMMIT_BOUNDS}, page AS MATERIALIZED (
      SELECT e.transaction_id, e.feed_position, e.body
      FROM bounds, LATERAL (
        SELECT * FROM (${seen('true')}) seen
        WHERE NOT seen.is_test AND ($5::text[] IS NULL OR seen.event_type = ANY ($5))
        ORDER BY seen.transaction_id DESC, seen.feed_position DESC LIMIT $4) e
    ), rest AS MATERIALIZED (
      SELECT last.* FROM bounds, LATERAL (
        SELECT transaction_id, feed_position,
               row_number() OVER (ORDER BY transaction_id DESC, feed_position DESC) AS number
        FROM (${seen('(SELECT count(*) FROM page) < $4')}) seen
        ORDER BY transaction_id, feed_position LIMIT 1) last
    )
    SELECT rest.transaction_id::text AS "seenTransactionId",
           rest.feed_position::text AS "seenPosition",
           coalesce(rest.number = ${MOST_SEEN}, false) AS "isCut",
           page.transaction_id::text AS "transactionId", page.feed_position::text AS position,
           page.body
    FROM bounds LEFT JOIN page ON true LEFT JOIN rest ON true
    ORDER BY page.transaction_id DESC, page.feed_position DESC`,
};

export interface BrowseQuery {
  readonly merchantId: string;
  /** null: all. */
  readonly eventTypes: readonly string[] | null;
  /** null: from the newest on. */
  readonly before: FeedPosition | null;
  readonly limit: number;
}

/** Up to `limit` events of a merchant before a place; at most 1,000 are looked at. */
export async function readFeedBefore(
  db: Executor,
  { merchantId, eventTypes, before, limit }: BrowseQuery,
) {
  type Row = { isCut: boolean; seenTransactionId: string; seenPosition: string } & FeedEvent;
  const { transactionId = null, position = null } = before ?? {};
  const rows = await db.query<Row>(READ, [merchantId, transactionId, position, limit, eventTypes]);
  const [first] = rows;
  const { seenTransactionId = '', seenPosition = '' } = first ?? {};
  return {
    /** Newest first. */
    events: rows.filter(({ body }) => body !== null),
    /** The oldest event looked at, where more may lie before it; null: the page is full, or all. */
    cutAt: first?.isCut ? { transactionId: seenTransactionId, position: seenPosition } : null,
  };
}
