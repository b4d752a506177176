/** Where a page begins: after the payment request with these, in the order of the list. */
export interface ListPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** Raised when the layout changes, so that an old cursor is refused rather than misread. */
const LAYOUT = 1;
/** Enough to tell filters apart; a cursor is no secret and opens nothing. */
const FINGERPRINT_BYTES = 8;
/** Milliseconds in 48 bits last until the year 10889. */
const INSTANT_BYTES = 6;
const ID_BYTES = 16;
const CURSOR_BYTES = 1 + FINGERPRINT_BYTES + INSTANT_BYTES + ID_BYTES;

/**
 * A cursor: the layout, the first bytes of the filters' fingerprint, and a position. Opaque to
 * callers; a made-up one could only begin a page of the same merchant's elsewhere.
 */
export function encodeCursor(fingerprint: Buffer, { createdAt, id }: ListPosition): string {
  const instant = Buffer.alloc(INSTANT_BYTES);
  instant.writeUIntBE(createdAt.getTime(), 0, INSTANT_BYTES);
  return Buffer.concat([
    Buffer.from([LAYOUT]),
    fingerprint.subarray(0, FINGERPRINT_BYTES),
    instant,
    Buffer.from(id.replaceAll('-', ''), 'hex'),
  ]).toString('base64url');
}

/** The position in a cursor, or why it is none: not one of ours, or made with other filters. */
export function decodeCursor(
  cursor: string,
  fingerprint: Buffer,
): ListPosition | 'NOT_A_CURSOR' | 'OTHER_FILTERS' {
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding skips what is no base64url: only the one spelling that encodes these bytes counts.
  const isWhole = bytes.length === CURSOR_BYTES && bytes.toString('base64url') === cursor;
  if (!isWhole || bytes[0] !== LAYOUT) return 'NOT_A_CURSOR';
  const made = bytes.subarray(1, 1 + FINGERPRINT_BYTES);
  if (!made.equals(fingerprint.subarray(0, FINGERPRINT_BYTES))) return 'OTHER_FILTERS';
  const at = 1 + FINGERPRINT_BYTES;
  const hex = bytes.subarray(at + INSTANT_BYTES).toString('hex');
  return {
    createdAt: new Date(bytes.readUIntBE(at, INSTANT_BYTES)),
    id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  };
}
