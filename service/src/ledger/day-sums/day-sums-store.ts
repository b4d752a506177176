import {
  COMMIT_BOUNDS,
  COMMIT_START,
  type CommitPlace,
} from '#database/commit-order/commit-cursor.ts';
import type { Executor, Statement } from '#database/database.ts';
import { execute, firstRowOrNull, firstValue } from '#database/statements.ts';

const PLACE = 'transaction_id::text AS "transactionId", position::text';

/**
 * Claims the summing until the transaction ends. @returns null: another process sums
 *
 * A single process sums; the others come back at their next turn.
 */
export const claimSumming = firstRowOrNull<CommitPlace>(
  'ledger-day-sums-claim',
  `SELECT ${PLACE} FROM ledger_day_sums_progress FOR UPDATE SKIP LOCKED`,
);

/** Needs the bounds, and a place `p`. No entry at the place: the ledger is of another history. */
export const IS_PLACE_OF_LEDGER = `(p.transaction_id < bounds.oldest_running AND EXISTS (
      SELECT FROM ledger_entries e
      WHERE e.transaction_id = p.transaction_id AND e.position = p.position))`;

/**
 * Whether the sums belong to this ledger: a dump that was restored on another server gets other
 * numbers of transactions.
 */
export const isOfLedger = firstValue<boolean>(
  'ledger-day-sums-is-usable',
  `${COMMIT_BOUNDS}
   SELECT ${IS_PLACE_OF_LEDGER} AS "isUsable" FROM bounds, ledger_day_sums_progress p`,
  false,
);

const deleteSome = (limit: number): Statement => ({
  name: `ledger-day-sums-delete-${limit}`,
  text: `DELETE FROM ledger_day_sums
         WHERE ctid = ANY (ARRAY(SELECT ctid FROM ledger_day_sums LIMIT ${limit})) RETURNING 1`,
});

/** Deletes up to `limit` sums. @returns how many */
export async function deleteSums(tx: Executor, limit: number): Promise<number> {
  return (await tx.query(deleteSome(limit))).length;
}

/**
 * The number of rows stands in the text: PostgreSQL plans an unknown number for a tenth of a table.
 */
const findLast = (rows: number): Statement => ({
  name: `ledger-day-sums-find-last-${rows}`,
  text: `${COMMIT_BOUNDS}, page AS MATERIALIZED (
      SELECT found.* FROM bounds, LATERAL (
        SELECT e.transaction_id, e.position FROM ledger_entries e
        WHERE e.transaction_id < bounds.oldest_running
          AND (e.transaction_id, e.position) > ($1::xid8, $2::bigint)
        ORDER BY e.transaction_id, e.position LIMIT ${rows}) found)
    SELECT ${PLACE}, (SELECT count(*) FROM page) = ${rows} AS "isFull" FROM page
    ORDER BY page.transaction_id DESC, page.position DESC LIMIT 1`,
});

export interface LastPlace extends CommitPlace {
  /** More entries may follow. */
  readonly isFull: boolean;
}

/** The last of the next entries, none of which an open transaction can precede. */
export async function findLastOfPage(
  tx: Executor,
  { transactionId, position }: CommitPlace,
  rows: number,
): Promise<LastPlace | null> {
  const [row] = await tx.query<LastPlace>(findLast(rows), [transactionId, position]);
  return row ?? null;
}

const WITHIN = `(transaction_id, position) > ($1::xid8, $2::bigint)
           AND (transaction_id, position) <= ($3::xid8, $4::bigint)`;

/**
 * Adds the entries after a place, up to and with those of another one.
 *
 * Without a name, so that PostgreSQL plans the statement for a small part of the ledger.
 */
export const addEntries = execute(
  '',
  `INSERT INTO ledger_day_sums AS s (merchant_id, is_booked, day, currency, amount_cents)
   SELECT coalesce(merchant_id, ''), booking_date IS NOT NULL,
     coalesce(booking_date, (created_at AT TIME ZONE 'UTC')::date), currency,
     sum(amount_cents)
   FROM ledger_entries WHERE ${WITHIN} GROUP BY 1, 2, 3, 4
   ON CONFLICT (merchant_id, is_booked, day, currency)
   DO UPDATE SET amount_cents = s.amount_cents + excluded.amount_cents`,
  (from: CommitPlace, to: CommitPlace) => [
    from.transactionId,
    from.position,
    to.transactionId,
    to.position,
  ],
);

export const moveTo = execute(
  'ledger-day-sums-move',
  `UPDATE ledger_day_sums_progress SET transaction_id = $1::xid8, position = $2::bigint`,
  (to: CommitPlace = COMMIT_START) => [to.transactionId, to.position],
);
