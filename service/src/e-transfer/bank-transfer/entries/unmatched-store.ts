import { columnsOf } from '#database/columns.ts';
import type { Executor } from '#database/database.ts';
import { allRows } from '#database/statements.ts';
import type { OtherEntry } from '../../network-books.ts';

/** An entry that is none of ours, as it is stored. */
export interface UnmatchedEntry extends Omit<OtherEntry, 'text' | 'suggestions'> {
  /** In hexadecimal form. */
  readonly fingerprint: string;
  /** The payer's text, encrypted. */
  readonly textBox: Buffer | null;
}

/** The entries of the last 30 days that matched nothing, latest booking day first. */
export const listUnmatchedEntries = allRows<UnmatchedEntry, [limit: number]>(
  'bank-entries-list-unmatched',
  `SELECT DISTINCT ON (e.booking_date, e.fingerprint) e.id, e.account, e.direction,
     e.amount_cents AS "amountCents", e.currency, e.booking_date AS "bookingDate",
     coalesce(e.bank_reference, e.entry_reference) AS "bankReference",
     e.is_batch_sum AS "isBatchSum", encode(e.fingerprint, 'hex') AS fingerprint,
     e.text_box AS "textBox"
   FROM bank_entries e
   WHERE e.outcome IN ('ORDINARY', 'BATCH_SUM')
     AND e.matched_at > service_now() - interval '30 days'
     AND NOT (e.is_batch_sum AND EXISTS (
       SELECT FROM bank_movements m
       WHERE m.account = e.account AND m.batch_reference = e.batch_reference))
   ORDER BY e.booking_date DESC NULLS LAST, e.fingerprint, e.text_box IS NULL LIMIT $1`,
);

export interface LikeQuery {
  readonly account: string;
  readonly amountCents: number;
  /** References that the text holds when letters are read as digits. */
  readonly references: readonly string[];
}

export interface LikeFound {
  readonly paymentRequestId: string;
  readonly reference: string;
  readonly isLookAlike: boolean;
}

/** Requests of one amount on an account that an entry is compared with. */
const MOST_OF_AMOUNT = 50;

const FIND_LIKE = {
  name: 'bank-entries-find-open-like',
  text: `SELECT asked.place::int, found.* FROM unnest($1::text[], $2::bigint[], $3::text[])
           WITH ORDINALITY AS asked (account, cents, refs, place)
         CROSS JOIN LATERAL (
           SELECT r.payment_request_id::text AS "paymentRequestId", r.reference,
             true AS "isLookAlike"
           FROM bank_transfer_requests r JOIN creditor_accounts a ON a.id = r.account_id
           WHERE r.reference = ANY (string_to_array(asked.refs, ' ')) AND a.key = asked.account
           UNION ALL
           (SELECT r.payment_request_id::text, r.reference, false
            FROM bank_transfer_requests r JOIN creditor_accounts a ON a.id = r.account_id
            WHERE a.key = asked.account AND r.amount_cents = asked.cents AND r.state = 'OPEN'
              AND r.reference <> ALL (string_to_array(asked.refs, ' '))
            LIMIT ${MOST_OF_AMOUNT})) AS found
         ORDER BY asked.place`,
};

/** For each entry the payment requests whose reference its text may nearly hold. */
export async function findOpenLike(
  db: Executor,
  asked: readonly LikeQuery[],
): Promise<(readonly LikeFound[])[]> {
  if (asked.length === 0) return [];
  const rows = await db.query<LikeFound & { place: number }>(FIND_LIKE, [
    ...columnsOf(asked)('account', 'amountCents'),
    asked.map(({ references }) => references.join(' ')),
  ]);
  return asked.map((_, n) => rows.filter(({ place }) => place === n + 1));
}
