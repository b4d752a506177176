import { createHash } from 'node:crypto';
import {
  type CursorRefusal,
  decodeCursor,
  decodeId,
  encodeCursor,
  encodeId,
  ID_BYTES,
} from '#lib/cursor.ts';
import type { DeliveryFilters } from './list-store.ts';

/** The cursor of a delivery in the list with these filters. */
export function encodeDeliveryCursor(filters: DeliveryFilters, id: string): string {
  return encodeCursor(fingerprintOf(filters), encodeId(id));
}

/** The delivery's id in a cursor of the list, or why there is none. */
export function decodeDeliveryCursor(
  cursor: string,
  filters: DeliveryFilters,
): { readonly id: string } | CursorRefusal {
  const place = decodeCursor(cursor, fingerprintOf(filters), ID_BYTES);
  return typeof place === 'string' ? place : { id: decodeId(place) };
}

/** A cursor of the version with one status stays valid. */
function fingerprintOf({ paymentRequestId, endpointId, statuses }: DeliveryFilters): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([paymentRequestId, endpointId, statuses?.join() ?? null]))
    .digest();
}
