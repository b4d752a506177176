import { createHash } from 'node:crypto';
import { decodeCursor, encodeCursor } from '#lib/cursor.ts';

/**
 * A place in the feed. Events are ordered by their transactions' numbers, and within a transaction
 * by the order of writing. Both are decimal texts: a transaction's number has 64 bits.
 */
export interface FeedPosition {
  readonly transactionId: string;
  readonly position: string;
}

/** Before all events: no transaction has this number. */
export const FEED_START: FeedPosition = { transactionId: '0', position: '0' };

const NUMBER_BYTES = 8;
/** The largest number that the database's bigint holds. */
const LARGEST_POSITION = 2n ** 63n - 1n;

/** The cursor of a place in a merchant's feed. */
export function encodeFeedCursor(merchantId: string, at: FeedPosition): string {
  const place = Buffer.alloc(2 * NUMBER_BYTES);
  place.writeBigUInt64BE(BigInt(at.transactionId), 0);
  place.writeBigUInt64BE(BigInt(at.position), NUMBER_BYTES);
  return encodeCursor(fingerprintOf(merchantId), place);
}

/** The place in a cursor; null: it is no cursor, or a cursor of another merchant's feed. */
export function decodeFeedCursor(merchantId: string, cursor: string): FeedPosition | null {
  const place = decodeCursor(cursor, fingerprintOf(merchantId), 2 * NUMBER_BYTES);
  if (typeof place === 'string') return null;
  const position = place.readBigUInt64BE(NUMBER_BYTES);
  if (position > LARGEST_POSITION) return null;
  return { transactionId: String(place.readBigUInt64BE(0)), position: String(position) };
}

function fingerprintOf(merchantId: string): Buffer {
  return createHash('sha256').update(merchantId).digest();
}
