import { columnsOf } from '#database/columns.ts';
import type { Executor } from '#database/database.ts';
import { allRows, execute, valuesOf } from '#database/statements.ts';
import { newId } from '#lib/new-id.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import type { StatementKind } from '../statements/statement.ts';
import type { StagedPayment } from './model/staged-payment.ts';
import { sealParty } from './party-box.ts';
import { sealText } from './text-box.ts';

/**
 * The file while nobody has decided about it. Two processes may read one file: rows that one writes
 * after the refusal by the other would stay for ever. The lock orders both.
 */
const UNDECIDED = (id: string) =>
  `(SELECT id FROM bank_files WHERE id = ${id}::uuid AND state = 'RECEIVED' FOR SHARE)`;

/** A repetition after a stop writes equal rows: those that are there stay. */
const INSERT_ENTRIES = {
  name: 'bank-entries-insert',
  text: `INSERT INTO bank_entries
           (id, file_id, statement_id, account, entry_number, payment_number, rank, direction,
            amount_cents, currency, is_booked, is_reversal, is_return, return_reason, is_batch_sum,
            booking_date, booked_at, creditor_references, end_to_end_hash, refund_ids,
            bank_reference, entry_reference, batch_reference, institution, party_box, fingerprint,
            fee_cents, stated_cents, details, message_ids, text_box)
         SELECT staged.id, f.id, statement_id, account, entry_number, payment_number, rank,
            direction,
            amount_cents, currency, is_booked, is_reversal, is_return, return_reason, is_batch_sum,
            booking_date, booked_at, string_to_array(creditor_references, ' '),
            decode(end_to_end_hash, 'hex'), string_to_array(refund_ids, ' ')::uuid[],
            bank_reference, entry_reference, batch_reference, institution, party_box, fingerprint,
            fee_cents, string_to_array(stated_cents, ' ')::bigint[], details::jsonb,
            string_to_array(message_ids, ' '), text_box
         FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::int[], $7::int[],
            $8::text[], $9::bigint[], $10::text[], $11::bool[], $12::bool[], $13::bool[],
            $14::text[], $15::bool[], $16::date[], $17::timestamptz[], $18::text[], $19::text[],
            $20::text[], $21::text[], $22::text[], $23::text[], $24::text[], $25::bytea[],
            $26::bytea[], $27::bigint[], $28::text[], $29::text[], $30::text[],
            $31::bytea[])
           AS staged (id, statement_id, account, entry_number, payment_number, rank, direction,
            amount_cents, currency, is_booked, is_reversal, is_return, return_reason, is_batch_sum,
            booking_date, booked_at, creditor_references, end_to_end_hash, refund_ids,
            bank_reference, entry_reference, batch_reference, institution, party_box, fingerprint,
            fee_cents, stated_cents, details, message_ids, text_box)
         CROSS JOIN ${UNDECIDED('$1')} f
         ON CONFLICT (statement_id, entry_number, payment_number) DO NOTHING`,
};

export interface StatementFacts {
  readonly bankId: string | null;
  readonly sequenceNumber: string | null;
  readonly currency: string | null;
  readonly day: string | null;
  readonly openingCents: number | null;
  readonly closingCents: number | null;
  /** Booked entries, signed. */
  readonly entriesCents: number;
  readonly entryCount: number;
}

/**
 * Which of the accounts are ours. A former version counts for 13 months after the end of the last
 * payment request that showed it (bank-transfer §1). Payers see `key`; statements list a Swiss
 * QR-IBAN under `listedAs`, also on a day without an entry of it.
 */
export const findOurAccounts = allRows<
  { key: string; listedAs: string | null },
  [accounts: readonly string[]]
>(
  'bank-accounts-find-ours',
  `SELECT DISTINCT a.key, i.statement_account AS "listedAs"
   FROM creditor_accounts a JOIN creditor_account_keys i ON i.key = a.key
   WHERE (a.key = ANY ($1::text[]) OR i.statement_account = ANY ($1::text[]))
     AND (a.replaced_at IS NULL
          OR a.replaced_at > service_now() - interval '13 months'
          OR EXISTS (SELECT FROM bank_transfer_requests r
                     WHERE r.account_id = a.id
                       AND r.expires_at > service_now() - interval '13 months'))`,
);

/** Keeps under which account the bank's statements list a Swiss QR-IBAN. */
export const keepStatementAccount = execute<[qrIban: string, account: string]>(
  'bank-accounts-keep-statement-account',
  `UPDATE creditor_account_keys SET statement_account = $2
   WHERE key = $1 AND statement_account IS DISTINCT FROM $2`,
);

export const insertStatement = execute<
  [
    id: {
      id: string;
      fileId: string;
      kind: StatementKind;
      account: string;
    },
  ]
>(
  'bank-statement-insert',
  `INSERT INTO bank_statements (id, file_id, kind, account)
   SELECT $1, f.id, $3, $4 FROM ${UNDECIDED('$2')} f ON CONFLICT (id) DO NOTHING`,
  valuesOf('id', 'fileId', 'kind', 'account'),
);

export const completeStatement = execute(
  'bank-statement-complete',
  `UPDATE bank_statements SET bank_id = $2, sequence_number = $3, currency = $4, day = $5,
     opening_cents = $6, closing_cents = $7, entries_cents = $8, entry_count = $9
   WHERE id = $1`,
  (id: string, facts: StatementFacts) => [
    id,
    facts.bankId,
    facts.sequenceNumber,
    facts.currency,
    facts.day,
    facts.openingCents,
    facts.closingCents,
    facts.entriesCents,
    facts.entryCount,
  ],
);

export interface PaymentOfStatement extends StagedPayment {
  readonly statementId: string;
}

/** Writes payments that do not count yet; the other side's name and account are encrypted. */
export async function insertEntries(
  db: Executor,
  key: RotatingKey,
  fileId: string,
  payments: readonly PaymentOfStatement[],
): Promise<void> {
  const ids = payments.map(newId);
  const columns = columnsOf(payments);
  await db.query(INSERT_ENTRIES, [
    fileId,
    ids,
    ...columns('statementId', 'account', 'entryNumber', 'paymentNumber', 'rank', 'direction'),
    ...columns('amountCents', 'currency', 'isBooked', 'isReversal', 'isReturn', 'returnReason'),
    ...columns('isBatchSum', 'bookingDate', 'bookedAt'),
    payments.map(({ creditorReferences }) => creditorReferences.join(' ')),
    ...columns('endToEndHash'),
    payments.map(({ refundIds }) => refundIds.join(' ')),
    ...columns('bankReference', 'entryReference', 'batchReference', 'institution'),
    payments.map(({ party }, index) => sealParty(key, ids[index] ?? '', party)),
    ...columns('fingerprint', 'feeCents'),
    payments.map(({ statedCents }) => statedCents.join(' ')),
    payments.map(({ details }) => JSON.stringify(details)),
    payments.map(({ messageIds }) => messageIds.join(' ')),
    payments.map(({ text }, index) => sealText(key, ids[index] ?? '', text)),
  ]);
}
