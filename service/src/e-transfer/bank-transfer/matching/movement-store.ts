import { columnsOf } from '#database/columns.ts';
import type { Executor } from '#database/database.ts';
import { allRows, allValues } from '#database/statements.ts';
import type { Movement } from '../entries/model/movement.ts';

/** A movement with the box of its other side. */
export interface StoredMovement extends Movement {
  readonly partyBox: Buffer | null;
}

const COLUMNS = `m.id, m.account, m.direction, m.amount_cents AS "amountCents", m.currency,
  coalesce(m.statement_day, m.booking_date) AS "bookingDate", m.booked_at AS "bookedAt",
  m.creditor_references AS "creditorReferences",
  encode(m.end_to_end_hash, 'hex') AS "endToEndHash", m.bank_reference AS "bankReference",
  m.entry_reference AS "entryReference", m.batch_reference AS "batchReference",
  m.network_reference AS "networkReference", m.institution, m.party_box AS "partyBox",
  m.is_confirmed AS "isConfirmed", m.is_in_statement AS "isInStatement",
  m.is_return AS "isReturn", m.return_reason AS "returnReason", m.outcome,
  m.payment_request_id AS "paymentRequestId", m.candidates::text[] AS candidates,
  m.sum_cents AS "sumCents", m.summed::text[] AS summed, m.returned_id AS "returnedId",
  m.fee_cents AS "feeCents", m.details`;

/** The order of the rows is the order of the reports. */
const INSERT = {
  name: 'bank-movements-insert',
  text: `INSERT INTO bank_movements
           (id, account, direction, amount_cents, currency, booking_date, booked_at,
            creditor_references, end_to_end_hash, bank_reference, entry_reference,
            batch_reference, network_reference, institution, party_box, is_confirmed,
            is_in_statement, is_return, return_reason, outcome, payment_request_id, candidates,
            sum_cents, summed, returned_id, fee_cents, details)
         SELECT id, account, direction, amount_cents, currency, booking_date, booked_at,
            string_to_array(creditor_references, ' '), decode(end_to_end_hash, 'hex'),
            bank_reference, entry_reference,
            batch_reference, network_reference, institution, party_box, is_confirmed,
            is_in_statement, is_return, return_reason, outcome, payment_request_id,
            string_to_array(candidates, ' ')::uuid[], sum_cents,
            string_to_array(summed, ' ')::uuid[], returned_id, fee_cents, details::jsonb
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::date[],
            $7::timestamptz[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
            $13::text[], $14::text[], $15::bytea[], $16::bool[], $17::bool[], $18::bool[],
            $19::text[], $20::text[], $21::uuid[], $22::text[], $23::bigint[], $24::text[],
            $25::uuid[], $26::bigint[], $27::text[])
           WITH ORDINALITY
           AS new (id, account, direction, amount_cents, currency, booking_date, booked_at,
            creditor_references, end_to_end_hash, bank_reference, entry_reference,
            batch_reference, network_reference, institution, party_box, is_confirmed,
            is_in_statement, is_return, return_reason, outcome, payment_request_id, candidates,
            sum_cents, summed, returned_id, fee_cents, details, place)
         ORDER BY place`,
};

/**
 * Takes over the additions of another message; the network reference stays as reported. Money that
 * no longer waits is due to be reported: at most its absence was reported before. Charges that an
 * earlier message did not state are reported with the movement once more. The ledger has a reported
 * movement on its first day; the statement may list it on another one.
 */
const UPDATE = {
  name: 'bank-movements-update',
  text: `UPDATE bank_movements m SET
           bank_reference = c.bank_reference, entry_reference = c.entry_reference,
           batch_reference = c.batch_reference,
           creditor_references = string_to_array(c.creditor_references, ' '),
           end_to_end_hash = decode(c.end_to_end_hash, 'hex'),
           party_box = coalesce(m.party_box, c.party_box),
           is_confirmed = c.is_confirmed, is_in_statement = c.is_in_statement,
           outcome = c.outcome, payment_request_id = c.payment_request_id,
           candidates = string_to_array(c.candidates, ' ')::uuid[], sum_cents = c.sum_cents,
           summed = string_to_array(c.summed, ' ')::uuid[], returned_id = c.returned_id,
           fee_cents = c.fee_cents, statement_day = c.booking_date,
           booking_date = CASE WHEN m.outcome = 'WAITING' OR m.reported_at IS NULL
                               THEN c.booking_date ELSE m.booking_date END,
           reported_at = CASE WHEN (m.outcome <> 'WAITING' OR c.outcome = 'WAITING')
                                AND m.fee_cents = c.fee_cents THEN m.reported_at END
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
            $7::bytea[], $8::bool[], $9::bool[], $10::text[], $11::uuid[], $12::text[],
            $13::bigint[], $14::text[], $15::uuid[], $16::bigint[], $17::date[])
           AS c (id, bank_reference, entry_reference, batch_reference, creditor_references,
                 end_to_end_hash, party_box, is_confirmed, is_in_statement, outcome,
                 payment_request_id, candidates, sum_cents, summed, returned_id, fee_cents,
                 booking_date)
         WHERE m.id = c.id`,
};

/** The facts of entries by which known movements are found. */
export interface KnownKeys {
  readonly bankReferences: readonly string[];
  readonly entryReferences: readonly string[];
  readonly batchReferences: readonly string[];
  readonly endToEndHashes: readonly string[];
  readonly creditorReferences: readonly string[];
  readonly bookingDates: readonly string[];
}

/** Each branch has its own index, so that the cost does not grow with the number of movements. */
export const findKnownMovements = allRows<StoredMovement, [keys: KnownKeys]>(
  'bank-movements-find-known',
  `SELECT ${COLUMNS} FROM bank_movements m WHERE m.id IN (
     SELECT id FROM bank_movements WHERE bank_reference = ANY ($1::text[])
     UNION SELECT id FROM bank_movements WHERE entry_reference = ANY ($2::text[])
     UNION SELECT id FROM bank_movements
       WHERE batch_reference = ANY ($3::text[]) AND booking_date = ANY ($6::date[])
     UNION SELECT id FROM bank_movements
       WHERE end_to_end_hash = ANY ($4::bytea[]) AND booking_date = ANY ($6::date[])
     UNION SELECT id FROM bank_movements WHERE creditor_references && $5::text[])
   ORDER BY m.position`,
  (keys) => [
    keys.bankReferences,
    keys.entryReferences,
    keys.batchReferences,
    keys.endToEndHashes.map((hash) => Buffer.from(hash, 'hex')),
    keys.creditorReferences,
    keys.bookingDates,
  ],
);

export const findMovementsOf = allRows<StoredMovement, [paymentRequestIds: readonly string[]]>(
  'bank-movements-find-of-requests',
  `SELECT ${COLUMNS} FROM bank_movements m
   WHERE m.payment_request_id = ANY ($1::uuid[]) ORDER BY m.position`,
);

/** Two are enough to know that an EndToEndId names no single payment. */
export const findCreditsByEndToEnd = allRows<StoredMovement, [hashes: readonly string[]]>(
  'bank-movements-find-by-end-to-end',
  `SELECT found.* FROM unnest($1::bytea[]) AS asked (hash)
   CROSS JOIN LATERAL (
     SELECT ${COLUMNS} FROM bank_movements m
     WHERE m.end_to_end_hash = asked.hash AND m.direction = 'CREDIT'
     ORDER BY m.booking_date DESC LIMIT 20) AS found`,
  (hashes) => [hashes.map((hash) => Buffer.from(hash, 'hex'))],
);

/** The network references that movements have already, or parts of a split transfer. */
export const findTakenReferences = allValues<string, [references: readonly string[]]>(
  'bank-movements-find-network-references',
  `SELECT network_reference AS "networkReference" FROM bank_movements
   WHERE network_reference = ANY ($1::text[])
   UNION SELECT network_reference FROM ledger_entries
   WHERE network_reference = ANY ($1::text[]) AND type = 'ASSIGNED'`,
);

export async function insertMovements(
  tx: Executor,
  movements: readonly StoredMovement[],
): Promise<void> {
  if (movements.length === 0) return;
  const columns = columnsOf(movements);
  await tx.query(INSERT, [
    ...columns('id', 'account', 'direction', 'amountCents', 'currency', 'bookingDate', 'bookedAt'),
    movements.map(({ creditorReferences }) => creditorReferences.join(' ')),
    ...columns('endToEndHash', 'bankReference', 'entryReference', 'batchReference'),
    ...columns('networkReference', 'institution', 'partyBox', 'isConfirmed', 'isInStatement'),
    ...columns('isReturn', 'returnReason', 'outcome', 'paymentRequestId'),
    movements.map(({ candidates }) => candidates.join(' ')),
    ...columns('sumCents'),
    movements.map(({ summed }) => summed.join(' ')),
    ...columns('returnedId', 'feeCents'),
    movements.map(({ details }) => JSON.stringify(details)),
  ]);
}

const SAVE_CORRECTIONS = {
  name: 'bank-movements-save-corrections',
  text: `UPDATE bank_movements SET corrected_ids = string_to_array($2, ' ')::uuid[] WHERE id = $1`,
};

/** Keeps which movements a booking may correct. Banks correct a booking rarely. */
export async function saveCorrections(
  tx: Executor,
  corrections: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  for (const [id, corrected] of corrections) {
    await tx.query(SAVE_CORRECTIONS, [id, corrected.join(' ')]);
  }
}

export async function updateMovements(
  tx: Executor,
  movements: readonly StoredMovement[],
): Promise<void> {
  if (movements.length === 0) return;
  const columns = columnsOf(movements);
  await tx.query(UPDATE, [
    ...columns('id', 'bankReference', 'entryReference', 'batchReference'),
    movements.map(({ creditorReferences }) => creditorReferences.join(' ')),
    ...columns('endToEndHash', 'partyBox', 'isConfirmed', 'isInStatement', 'outcome'),
    ...columns('paymentRequestId'),
    movements.map(({ candidates }) => candidates.join(' ')),
    ...columns('sumCents'),
    movements.map(({ summed }) => summed.join(' ')),
    ...columns('returnedId', 'feeCents', 'bookingDate'),
  ]);
}
