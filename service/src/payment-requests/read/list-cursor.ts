import {
  type CursorRefusal,
  decodeCursor,
  decodeId,
  encodeCursor,
  encodeId,
  ID_BYTES,
} from '#lib/cursor.ts';

/** The place where a page begins: after the payment request with these, in the list's order. */
export interface ListPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** Milliseconds in 48 bits last until the year 10889. */
const INSTANT_BYTES = 6;

/** The cursor of a place in the list with these filters. */
export function encodeListCursor(fingerprint: Buffer, { createdAt, id }: ListPosition): string {
  const instant = Buffer.alloc(INSTANT_BYTES);
  instant.writeUIntBE(createdAt.getTime(), 0, INSTANT_BYTES);
  return encodeCursor(fingerprint, Buffer.concat([instant, encodeId(id)]));
}

/** The place in a cursor of the list, or why there is none. */
export function decodeListCursor(
  cursor: string,
  fingerprint: Buffer,
): ListPosition | CursorRefusal {
  const place = decodeCursor(cursor, fingerprint, INSTANT_BYTES + ID_BYTES);
  if (typeof place === 'string') return place;
  return {
    createdAt: new Date(place.readUIntBE(0, INSTANT_BYTES)),
    id: decodeId(place.subarray(INSTANT_BYTES)),
  };
}
