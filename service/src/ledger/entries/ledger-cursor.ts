import {
  type CommitPlace,
  decodeCommitCursor,
  encodeCommitCursor,
} from '#database/commit-order/commit-cursor.ts';
import type { FieldFault } from '#lib/problem.ts';

/** A merchant's ledger; null: the money for which no merchant can be named. */
export type LedgerOwner = string | null;

/** The cursor of a place in a ledger. A cursor of the feed is none of the ledger. */
export function encodeLedgerCursor(owner: LedgerOwner, at: CommitPlace): string {
  return encodeCommitCursor(`ledger ${owner ?? ''}`, at);
}

/** The place in a cursor; null: it is no cursor, or a cursor of another list. */
export function decodeLedgerCursor(owner: LedgerOwner, cursor: string): CommitPlace | null {
  return decodeCommitCursor(`ledger ${owner ?? ''}`, cursor);
}

/** The faults of a parameter with a cursor of the ledger. */
export function notACursor(field: 'after' | 'since'): FieldFault {
  const message = `Give ${field} as the nextCursor of an earlier answer about the ledger.`;
  return { field, code: 'INVALID_FORMAT', message };
}

export function otherDatabase(field: 'after' | 'since'): FieldFault {
  const message =
    'This cursor is of another database than this one, or of entries that a restore of this one ' +
    `has lost. Begin without ${field}, and skip the ids that you know.`;
  return { field, code: 'INVALID_VALUE', message };
}
