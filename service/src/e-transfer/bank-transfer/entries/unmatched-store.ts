import type { Executor } from '#database/database.ts';

/** An entry that is none of ours, without any text of it. */
export interface UnmatchedEntry {
  readonly account: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amountCents: number;
  readonly currency: string;
  readonly bookingDate: string | null;
  readonly bankReference: string | null;
  /** A batch whose payments no message has listed. */
  readonly isBatchSum: boolean;
  /** In hexadecimal form. */
  readonly fingerprint: string;
}

const LIST = {
  name: 'bank-entries-list-unmatched',
  text: `SELECT DISTINCT ON (e.booking_date, e.fingerprint) e.account, e.direction,
           e.amount_cents AS "amountCents", e.currency, e.booking_date AS "bookingDate",
           coalesce(e.bank_reference, e.entry_reference) AS "bankReference",
           e.is_batch_sum AS "isBatchSum", encode(e.fingerprint, 'hex') AS fingerprint
         FROM bank_entries e
         WHERE e.outcome IN ('ORDINARY', 'BATCH_SUM')
           AND e.matched_at > service_now() - interval '30 days'
           AND NOT (e.is_batch_sum AND EXISTS (
             SELECT FROM bank_movements m
             WHERE m.account = e.account AND m.batch_reference = e.batch_reference))
         ORDER BY e.booking_date DESC NULLS LAST, e.fingerprint LIMIT $1`,
};

/** The entries of the last 30 days that matched nothing, latest booking day first. */
export function listUnmatchedEntries(db: Executor, limit: number): Promise<UnmatchedEntry[]> {
  return db.query<UnmatchedEntry>(LIST, [limit]);
}
