import { createHash } from 'node:crypto';
import { decodeCursor, encodeCursor } from '#lib/cursor.ts';

/**
 * A place in a list in the order of commits. Rows are ordered by their transactions' numbers, and
 * within a transaction by the order of writing. Both are decimal texts: a transaction's number has
 * 64 bits.
 */
export interface CommitPlace {
  readonly transactionId: string;
  readonly position: string;
}

/** Before all rows: no transaction has this number. */
export const COMMIT_START: CommitPlace = { transactionId: '0', position: '0' };

/**
 * Begins a statement: `bounds` has the oldest transaction that runs when the statement begins, and
 * the number that no transaction has yet. A row of a transaction at or above `oldest_running` must
 * stay unread: a transaction with a lower number may commit later, and its rows would then lie
 * behind a cursor given out before (decision 0017).
 */
export const COMMIT_BOUNDS = `
    WITH bounds AS MATERIALIZED (
      SELECT pg_snapshot_xmin(s) AS oldest_running, pg_snapshot_xmax(s) AS next
      FROM pg_current_snapshot() s
    )`;

const NUMBER_BYTES = 8;
/** The largest number that the database's bigint holds. */
const LARGEST_POSITION = 2n ** 63n - 1n;

/**
 * The cursor of a place.
 * @param owner the list that the cursor belongs to
 */
export function encodeCommitCursor(owner: string, at: CommitPlace): string {
  const place = Buffer.alloc(2 * NUMBER_BYTES);
  place.writeBigUInt64BE(BigInt(at.transactionId), 0);
  place.writeBigUInt64BE(BigInt(at.position), NUMBER_BYTES);
  return encodeCursor(fingerprintOf(owner), place);
}

/** The place in a cursor; null: it is no cursor, or a cursor of another list. */
export function decodeCommitCursor(owner: string, cursor: string): CommitPlace | null {
  const place = decodeCursor(cursor, fingerprintOf(owner), 2 * NUMBER_BYTES);
  if (typeof place === 'string') return null;
  const position = place.readBigUInt64BE(NUMBER_BYTES);
  if (position > LARGEST_POSITION) return null;
  return { transactionId: String(place.readBigUInt64BE(0)), position: String(position) };
}

function fingerprintOf(owner: string): Buffer {
  return createHash('sha256').update(owner).digest();
}
