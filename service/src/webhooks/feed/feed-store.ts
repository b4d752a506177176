import { COMMIT_BOUNDS, COMMIT_START } from '#database/commit-order/commit-cursor.ts';
import type { Executor, Statement } from '#database/database.ts';
import { allValues, firstRowOrNull } from '#database/statements.ts';
import type { FeedPosition } from './cursor.ts';

/**
 * A statement looks at so many events at most. Up to some thousands, every plan reads the index in
 * its order; above, PostgreSQL may sort all later events of the merchant instead.
 */
export const MOST_SEEN = 1_000;

/** Reads the index webhook_events_feed in its order, and ends as soon as a page is full. */
const seen = (condition: string) => `
  SELECT w.* FROM webhook_events w
  WHERE w.merchant_id = $1
    AND (w.transaction_id, w.feed_position) > ($2::xid8, $3::bigint)
    AND w.transaction_id < bounds.oldest_running AND ${condition}
  ORDER BY w.transaction_id, w.feed_position LIMIT ${MOST_SEEN}`;

/**
 * Shows only events below every transaction that runs when the statement begins. Otherwise a
 * transaction with a lower number that commits later would lie behind a cursor given out before.
 * Tests of endpoints are no events. A page that is not full ends behind the last event looked at,
 * also of another type, so that no call looks at an event twice. So every place given out is that
 * of an event, which exists in this database's history or was pruned from it (decision 0063).
 */
const READ: Statement = {
  name: 'event-feed-read',
  text: `${COMMIT_BOUNDS}, page AS MATERIALIZED (
      SELECT e.transaction_id, e.feed_position, e.body
      FROM bounds, LATERAL (
        SELECT * FROM (${seen('true')}) seen
        WHERE NOT seen.is_test AND ($5::text[] IS NULL OR seen.event_type = ANY ($5))
        ORDER BY seen.transaction_id, seen.feed_position LIMIT $4) e
    ), rest AS MATERIALIZED (
      SELECT last.* FROM bounds, LATERAL (
        SELECT transaction_id, feed_position,
               row_number() OVER (ORDER BY transaction_id, feed_position) AS number
        FROM (${seen('(SELECT count(*) FROM page) < $4')}) seen
        ORDER BY transaction_id DESC, feed_position DESC LIMIT 1) last
    )
    SELECT NOT ($2::xid8 = '${COMMIT_START.transactionId}'
             OR $2::xid8 < bounds.next AND (
               EXISTS (SELECT FROM webhook_events w WHERE w.merchant_id = $1
                       AND w.transaction_id = $2::xid8 AND w.feed_position = $3::bigint)
               OR $2::xid8 <= (SELECT transaction_id FROM webhook_events_pruned))) AS "isForeign",
           rest.transaction_id::text AS "seenTransactionId",
           rest.feed_position::text AS "seenPosition",
           coalesce(rest.number = ${MOST_SEEN}, false) AS "isCut",
           page.transaction_id::text AS "transactionId", page.feed_position::text AS position,
           page.body
    FROM bounds LEFT JOIN page ON true LEFT JOIN rest ON true
    ORDER BY page.transaction_id, page.feed_position`,
};

export interface FeedEvent extends FeedPosition {
  /** The webhook's body: JSON text that goes into the answer unchanged. */
  readonly body: string;
}

/** A place in a merchant's feed, and the types of events that it shows; null: all. */
export interface Follower {
  readonly merchantId: string;
  readonly eventTypes: readonly string[] | null;
  readonly after: FeedPosition;
}

/** Up to `limit` events of a merchant after a place. */
export async function readFeed(
  db: Executor,
  { merchantId, eventTypes, after, limit }: Follower & { readonly limit: number },
) {
  type Row = { isForeign: boolean; isCut: boolean } & { [Key in keyof FeedEvent]: string } & {
    seenTransactionId: string | null;
    seenPosition: string | null;
  };
  const { transactionId, position } = after;
  const rows = await db.query<Row>(READ, [merchantId, transactionId, position, limit, eventTypes]);
  const [first] = rows;
  return {
    /** Oldest first. */
    events: rows.filter(({ body }) => body !== null),
    /** The place is of another history than this database's: that of a restore, or of its own. */
    isForeign: first?.isForeign ?? false,
    /** The last event looked at; null: the page is full, or there was none. */
    seenTo:
      first?.seenTransactionId && first.seenPosition
        ? { transactionId: first.seenTransactionId, position: first.seenPosition }
        : null,
    /** More events may follow those that were looked at. */
    isCut: first?.isCut ?? false,
  };
}

/**
 * The place of a merchant's last event that can be shown now; null without events.
 *
 * The place of a committed event: after a crash, only rolled-back numbers are given out again.
 */
export const findLatest = firstRowOrNull<FeedPosition, [merchantId: string]>(
  'event-feed-find-latest',
  `SELECT e.transaction_id::text AS "transactionId", e.feed_position::text AS position
   FROM webhook_events e
   WHERE e.merchant_id = $1 AND NOT e.is_test
     AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
   ORDER BY e.transaction_id DESC, e.feed_position DESC LIMIT 1`,
);

/** The indexes of the followers whose feeds have events after their places. */
export const findBehind = allValues<number, [followers: readonly Follower[]]>(
  'event-feed-find-behind',
  `SELECT a.number::int - 1 AS index
   FROM unnest($1::text[], $2::xid8[], $3::bigint[], $4::text[])
     WITH ORDINALITY AS a (merchant_id, transaction_id, feed_position, event_types, number),
   LATERAL (
     SELECT FROM webhook_events e
     WHERE e.merchant_id = a.merchant_id AND NOT e.is_test
       AND (a.event_types IS NULL OR e.event_type = ANY (string_to_array(a.event_types, ',')))
       AND (e.transaction_id, e.feed_position) > (a.transaction_id, a.feed_position)
       AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
     ORDER BY e.transaction_id, e.feed_position LIMIT 1) next`,
  (followers) => [
    followers.map(({ merchantId }) => merchantId),
    followers.map(({ after }) => after.transactionId),
    followers.map(({ after }) => after.position),
    followers.map(({ eventTypes }) => eventTypes?.join(',') ?? null),
  ],
);
