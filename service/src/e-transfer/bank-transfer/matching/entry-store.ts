import { columnsOf } from '#database/columns.ts';
import { allRows, execute, firstValue, valuesByKey } from '#database/statements.ts';
import type { StagedPayment } from '../entries/model/staged-payment.ts';
import type { StatementKind } from '../statements/statement.ts';

/** An entry that waits to be matched, without the other side's name. */
export interface WaitingEntry
  extends Omit<StagedPayment, 'paymentNumber' | 'rank' | 'party' | 'text' | 'fingerprint'> {
  readonly id: string;
  readonly statementId: string;
  readonly kind: StatementKind;
  readonly partyBox: Buffer | null;
}

export type EntryOutcome = 'MOVEMENT' | 'REFUND' | 'PENDING' | 'BATCH_SUM' | 'ORDINARY';

export interface MatchedEntry {
  readonly id: string;
  readonly outcome: EntryOutcome;
  readonly movementId: string | null;
}

const COLUMNS = `e.id, e.statement_id AS "statementId", s.kind, e.entry_number AS "entryNumber",
  e.account, e.direction, e.amount_cents AS "amountCents", e.currency,
  e.is_booked AS "isBooked", e.is_reversal AS "isReversal", e.is_return AS "isReturn",
  e.return_reason AS "returnReason", e.is_batch_sum AS "isBatchSum",
  e.booking_date AS "bookingDate", e.booked_at AS "bookedAt",
  e.creditor_references AS "creditorReferences",
  encode(e.end_to_end_hash, 'hex') AS "endToEndHash", e.refund_ids::text[] AS "refundIds",
  e.bank_reference AS "bankReference", e.entry_reference AS "entryReference",
  e.batch_reference AS "batchReference", e.institution, e.party_box AS "partyBox",
  e.fee_cents AS "feeCents", to_json(e.stated_cents) AS "statedCents", e.details,
  e.message_ids AS "messageIds"`;

/**
 * Two processes never match entries of one file at once.
 *
 * @returns the state of the file, which stays locked; null: it does not exist
 */
export const lockFile = firstValue<string | null, [fileId: string]>(
  'bank-file-lock',
  `SELECT state FROM bank_files WHERE id = $1 FOR NO KEY UPDATE`,
  null,
);

/** Entries with a bank's reference come first, across all statements of the file. */
export const findWaitingEntries = allRows<WaitingEntry, [fileId: string, limit: number]>(
  'bank-entries-find-waiting',
  `SELECT ${COLUMNS} FROM bank_entries e JOIN bank_statements s ON s.id = e.statement_id
   WHERE e.file_id = $1 AND e.matched_at IS NULL
   ORDER BY e.rank, e.entry_number, e.payment_number, e.statement_id LIMIT $2`,
);

/**
 * Two files never tell of one account's money at once.
 *
 * @returns the merchant of each account
 */
export const lockAccounts = valuesByKey<string, string, [accounts: readonly string[]]>(
  'bank-accounts-lock',
  `SELECT key, merchant_id AS "merchantId" FROM creditor_account_keys
   WHERE key = ANY ($1::text[]) ORDER BY key FOR NO KEY UPDATE`,
);

export interface Claim {
  readonly statementId: string;
  readonly entryNumber: number;
  readonly movementId: string;
}

/** The movements that entries of these statements tell of already. */
export const findClaims = allRows<
  Claim,
  [movementIds: readonly string[], statementIds: readonly string[]]
>(
  'bank-entries-find-claims',
  `SELECT statement_id AS "statementId", entry_number AS "entryNumber",
     movement_id AS "movementId"
   FROM bank_entries
   WHERE movement_id = ANY ($1::uuid[]) AND statement_id = ANY ($2::uuid[])`,
);

/** An ordinary entry keeps its fingerprint and its text, encrypted, and no name. */
export const markEntriesMatched = execute(
  'bank-entries-mark-matched',
  `UPDATE bank_entries e SET outcome = m.outcome, movement_id = m.movement_id,
     matched_at = service_now(), party_box = NULL, refund_ids = '{}',
     text_box = CASE m.outcome WHEN 'ORDINARY' THEN e.text_box END,
     creditor_references =
       CASE m.outcome WHEN 'ORDINARY' THEN '{}' ELSE e.creditor_references END,
     end_to_end_hash = CASE m.outcome WHEN 'ORDINARY' THEN NULL ELSE e.end_to_end_hash END
   FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS m (id, outcome, movement_id)
   WHERE e.id = m.id`,
  (entries: readonly MatchedEntry[]) => [...columnsOf(entries)('id', 'outcome', 'movementId')],
);
