import type { Executor } from '#database/database.ts';
import { Problem } from '#lib/problem.ts';
import type { BrowsedEvent } from './browse-feed.ts';
import { decodeFeedCursor, encodeFeedCursor } from './cursor.ts';
import { readFeed } from './feed-store.ts';

/** A page for people. */
const PAGE = 20;

export interface OnwardEvents {
  /** Oldest first. */
  readonly events: readonly BrowsedEvent[];
  /** The `after` of the next page; null: the page ends at the newest event. */
  readonly next: string | null;
}

export interface OnwardQuery {
  /** null: all. */
  readonly eventTypes: readonly string[] | null;
  /** A cursor of the feed, as a reader of the feed keeps it. */
  readonly after: string;
}

/**
 * The events that a reader of the feed gets next who keeps this cursor, each with its own cursor.
 *
 * @throws Problem VALIDATION_ERROR for a cursor of another feed or database
 */
export async function readFeedOnward(
  db: Executor,
  merchantId: string,
  { eventTypes, after }: OnwardQuery,
): Promise<OnwardEvents> {
  const place = decodeFeedCursor(merchantId, after);
  if (place === null) throw notACursor();
  const asked = { merchantId, eventTypes, after: place, limit: PAGE + 1 };
  const page = await readFeed(db, asked);
  if (page.isForeign) throw notACursor();
  const events = page.events.slice(0, PAGE).map(({ body, transactionId, position }) => ({
    body,
    cursor: encodeFeedCursor(merchantId, { transactionId, position }),
  }));
  if (page.events.length > PAGE) return { events, next: events.at(-1)?.cursor ?? null };
  const cut = page.isCut && page.seenTo ? encodeFeedCursor(merchantId, page.seenTo) : null;
  return { events, next: cut };
}

function notACursor(): Problem {
  const message = 'Give after as the nextCursor of an answer of this feed.';
  return new Problem('VALIDATION_ERROR', {
    errors: [{ field: 'after', code: 'INVALID_FORMAT', message }],
  });
}
