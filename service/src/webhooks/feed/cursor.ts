import {
  COMMIT_START,
  type CommitPlace,
  decodeCommitCursor,
  encodeCommitCursor,
} from '#database/commit-order/commit-cursor.ts';

/** A place in the feed. */
export type FeedPosition = CommitPlace;

/** Before all events. */
export const FEED_START: FeedPosition = COMMIT_START;

/** The cursor of a place in a merchant's feed. */
export function encodeFeedCursor(merchantId: string, at: FeedPosition): string {
  return encodeCommitCursor(merchantId, at);
}

/** The place in a cursor; null: it is no cursor, or a cursor of another merchant's feed. */
export function decodeFeedCursor(merchantId: string, cursor: string): FeedPosition | null {
  return decodeCommitCursor(merchantId, cursor);
}
