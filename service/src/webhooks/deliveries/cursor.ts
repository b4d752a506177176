import { createHash } from 'node:crypto';
import type { DeliveryFilters } from './list-store.ts';

/** Raised when the layout changes, so that an old cursor is refused rather than misread. */
const LAYOUT = 1;
/** Enough to tell filters apart; a cursor is no secret and opens nothing. */
const FINGERPRINT_BYTES = 8;
const ID_BYTES = 16;

/** A cursor of the deliveries' list: layout, fingerprint of the filters, the last one's id. */
export function encodeDeliveryCursor(filters: DeliveryFilters, id: string): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return Buffer.concat([Buffer.of(LAYOUT), fingerprintOf(filters), bytes]).toString('base64url');
}

/** The id in a cursor, or why it is none: not one of ours, or made with other filters. */
export function decodeDeliveryCursor(
  cursor: string,
  filters: DeliveryFilters,
): { readonly id: string } | 'NOT_A_CURSOR' | 'OTHER_FILTERS' {
  const bytes = Buffer.from(cursor, 'base64url');
  const isWhole = bytes.length === 1 + FINGERPRINT_BYTES + ID_BYTES;
  // Decoding skips what is no base64url: only the one spelling that encodes these bytes counts.
  if (!isWhole || bytes.toString('base64url') !== cursor || bytes[0] !== LAYOUT) {
    return 'NOT_A_CURSOR';
  }
  const made = bytes.subarray(1, 1 + FINGERPRINT_BYTES);
  if (!made.equals(fingerprintOf(filters))) return 'OTHER_FILTERS';
  const hex = bytes.subarray(1 + FINGERPRINT_BYTES).toString('hex');
  return { id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
}

function fingerprintOf({ paymentRequestId, endpointId, status }: DeliveryFilters): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([paymentRequestId, endpointId, status]))
    .digest()
    .subarray(0, FINGERPRINT_BYTES);
}
