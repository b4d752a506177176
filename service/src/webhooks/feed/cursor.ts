import { createHash } from 'node:crypto';

/**
 * A place in the feed: events are in the order of their transactions' numbers, and within one in
 * the order of their writing. Both as decimal text: a transaction's number has 64 bits.
 */
export interface FeedPosition {
  readonly transactionId: string;
  readonly position: string;
}

/** Before all events: no transaction has this number. */
export const FEED_START: FeedPosition = { transactionId: '0', position: '0' };

/** Raised when the layout changes, so that an old cursor is refused rather than misread. */
const LAYOUT = 1;
/** Enough to tell merchants apart; a cursor is no secret and opens nothing. */
const FINGERPRINT_BYTES = 8;
const NUMBER_BYTES = 8;
const CURSOR_BYTES = 1 + FINGERPRINT_BYTES + 2 * NUMBER_BYTES;
/** The largest that the database's bigint holds. */
const LARGEST_POSITION = 2n ** 63n - 1n;

/** A cursor of a merchant's feed: the layout, whose it is, and a place. Opaque to callers. */
export function encodeFeedCursor(merchantId: string, at: FeedPosition): string {
  const numbers = Buffer.alloc(2 * NUMBER_BYTES);
  numbers.writeBigUInt64BE(BigInt(at.transactionId), 0);
  numbers.writeBigUInt64BE(BigInt(at.position), NUMBER_BYTES);
  return Buffer.concat([Buffer.of(LAYOUT), fingerprintOf(merchantId), numbers]).toString(
    'base64url',
  );
}

/** The place in a cursor, or null: not one of ours, or of another merchant's feed. */
export function decodeFeedCursor(merchantId: string, cursor: string): FeedPosition | null {
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding skips what is no base64url: only the one spelling that encodes these bytes counts.
  const isWhole = bytes.length === CURSOR_BYTES && bytes.toString('base64url') === cursor;
  if (!isWhole || bytes[0] !== LAYOUT) return null;
  const at = 1 + FINGERPRINT_BYTES;
  if (!bytes.subarray(1, at).equals(fingerprintOf(merchantId))) return null;
  const position = bytes.readBigUInt64BE(at + NUMBER_BYTES);
  if (position > LARGEST_POSITION) return null;
  return { transactionId: String(bytes.readBigUInt64BE(at)), position: String(position) };
}

function fingerprintOf(merchantId: string): Buffer {
  return createHash('sha256').update(merchantId).digest().subarray(0, FINGERPRINT_BYTES);
}
