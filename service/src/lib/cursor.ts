import type { FieldFault } from './problem.ts';

/**
 * Cursors of lists. A cursor is base64url of bytes and opaque to callers. It is no secret and opens
 * nothing: a made-up cursor can only begin a page of the merchant's own list elsewhere.
 */

/** Raised when the layout changes, so that an old cursor is refused rather than misread. */
const LAYOUT = 1;
/** Enough to tell filters or merchants apart. */
const FINGERPRINT_BYTES = 8;

/** The cursor of these bytes. */
export function writeCursor(bytes: Buffer): string {
  return bytes.toString('base64url');
}

/** The bytes of a cursor; null for a text that `writeCursor` never makes. */
export function readCursor(cursor: string): Buffer | null {
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding skips other characters: only the spelling that encodes these bytes counts.
  return writeCursor(bytes) === cursor ? bytes : null;
}

/** The cursor of a place in a list: layout, fingerprint of the list's filters or owner, place. */
export function encodeCursor(fingerprint: Buffer, place: Buffer): string {
  const head = fingerprint.subarray(0, FINGERPRINT_BYTES);
  return writeCursor(Buffer.concat([Buffer.of(LAYOUT), head, place]));
}

/** Why a cursor has no place in this list. */
export type CursorRefusal = 'NOT_A_CURSOR' | 'OTHER_FILTERS';

/** The place in a cursor, or why there is none. */
export function decodeCursor(
  cursor: string,
  fingerprint: Buffer,
  placeBytes: number,
): Buffer | CursorRefusal {
  const bytes = readCursor(cursor);
  const head = 1 + FINGERPRINT_BYTES;
  if (bytes?.length !== head + placeBytes || bytes[0] !== LAYOUT) return 'NOT_A_CURSOR';
  const made = bytes.subarray(1, head);
  if (!made.equals(fingerprint.subarray(0, FINGERPRINT_BYTES))) return 'OTHER_FILTERS';
  return bytes.subarray(head);
}

/** The bytes of a kind of place. */
export interface PlaceForm<Place> {
  readonly size: number;
  write(place: Place): Buffer;
  read(bytes: Buffer): Place;
}

/** A place after the row with this UUID, in the order of the ids. */
export const ID_PLACE: PlaceForm<{ readonly id: string }> = {
  size: 16,
  write: ({ id }) => Buffer.from(id.replaceAll('-', ''), 'hex'),
  read(bytes) {
    const hex = bytes.toString('hex');
    const middle = `${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}`;
    return { id: `${hex.slice(0, 8)}-${middle}-${hex.slice(20)}` };
  },
};

/** A place after the row with this creation; the id orders rows of the same millisecond. */
export interface TimePlace {
  readonly createdAt: Date;
  readonly id: string;
}

/** Milliseconds in 48 bits last until the year 10889. */
const INSTANT_BYTES = 6;

export const TIME_PLACE: PlaceForm<TimePlace> = {
  size: INSTANT_BYTES + ID_PLACE.size,
  write({ createdAt, id }) {
    const instant = Buffer.alloc(INSTANT_BYTES);
    instant.writeUIntBE(createdAt.getTime(), 0, INSTANT_BYTES);
    return Buffer.concat([instant, ID_PLACE.write({ id })]);
  },
  read: (bytes) => ({
    createdAt: new Date(bytes.readUIntBE(0, INSTANT_BYTES)),
    ...ID_PLACE.read(bytes.subarray(INSTANT_BYTES)),
  }),
};

/** The faults of the parameter `cursor`. */
export const CURSOR_FAULTS = {
  NOT_A_CURSOR: {
    field: 'cursor',
    code: 'INVALID_FORMAT',
    message: 'Give cursor as the nextCursor of an earlier page.',
  },
  OTHER_FILTERS: {
    field: 'cursor',
    code: 'INVALID_VALUE',
    message: 'Give cursor with the filters of the page that it came from.',
  },
} as const satisfies Record<CursorRefusal, FieldFault>;

/** A page of a list. */
export interface Page<Row> {
  readonly data: readonly Row[];
  /** Begins the next page; null on the last. */
  readonly nextCursor: string | null;
  /** The body of the latest answer with this page, and the parameters that its links show. */
  rendered?: { readonly parameters: string; readonly body: Buffer };
}

/**
 * Cuts a page from the rows found, of which one more than `limit` was asked for: that row tells
 * whether there is a next page.
 */
export function cutPage<Row>(
  found: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): Page<Row> {
  const data = found.slice(0, limit);
  const last = found.length > limit ? data.at(-1) : undefined;
  return { data, nextCursor: last === undefined ? null : cursorOf(last) };
}
