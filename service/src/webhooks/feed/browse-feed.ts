import type { Executor } from '#database/database.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { readFeedBefore } from './browse-store.ts';
import { decodeFeedCursor, encodeFeedCursor } from './cursor.ts';

/** A page for people. */
const PAGE = 20;

/** An event as it lies in the feed. */
export interface BrowsedEvent {
  /** The webhook's body, byte for byte. */
  readonly body: string;
  /** A reader of the feed that keeps this cursor goes on after this event. */
  readonly cursor: string;
}

export interface BrowsedEvents {
  /** Newest first. */
  readonly events: readonly BrowsedEvent[];
  /** The `before` of the next page; null: there are no older events. */
  readonly older: string | null;
}

export interface Browsing {
  /** null: all. */
  readonly eventTypes: readonly string[] | null;
  /** The cursor that the page ends before; null: the page begins at the newest event. */
  readonly before: string | null;
}

/**
 * Leafs through a merchant's feed from the newest event back.
 *
 * @throws Problem VALIDATION_ERROR for a cursor of another feed
 */
export async function browseFeed(
  db: Executor,
  merchantId: string,
  { eventTypes, before }: Browsing,
): Promise<BrowsedEvents> {
  const place = before === null ? null : decodeFeedCursor(merchantId, before);
  if (before !== null && place === null) {
    const message = 'Give before as a cursor of this feed.';
    throwFaults([{ field: 'before', code: 'INVALID_FORMAT', message }]);
  }
  const asked = { merchantId, eventTypes, before: place, limit: PAGE + 1 };
  const { events, cutAt } = await readFeedBefore(db, asked);
  const shown = events.slice(0, PAGE).map(({ body, transactionId, position }) => ({
    body,
    cursor: encodeFeedCursor(merchantId, { transactionId, position }),
  }));
  const isFull = events.length > PAGE;
  const cut = cutAt && encodeFeedCursor(merchantId, cutAt);
  return { events: shown, older: isFull ? (shown.at(-1)?.cursor ?? null) : cut };
}
