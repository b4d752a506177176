import { AT, hash, ID, OTHER_ID, type RowsOfPart } from './rows-of-part.ts';

const IBAN = 'DE89370400440532013000';

export const BANK_STATEMENT_ROWS: RowsOfPart = {
  valid: {
    bank_files: { id: ID, sha256: hash(32), size_bytes: 1, received_at: AT },
    bank_file_parts: { id: ID, file_id: ID, part_number: 0, box: hash(40) },
    bank_statements: { id: ID, file_id: ID, kind: 'camt.053', account: IBAN },
    bank_movements: {
      id: ID,
      account: IBAN,
      direction: 'CREDIT',
      amount_cents: 1,
      currency: 'EUR',
      booked_at: AT,
      network_reference: 'REF-1',
      institution: 'DEUTDEFF',
      is_confirmed: true,
      outcome: 'EXACT',
    },
    bank_entries: {
      id: ID,
      file_id: ID,
      statement_id: ID,
      account: IBAN,
      entry_number: 0,
      payment_number: 0,
      rank: 0,
      direction: 'CREDIT',
      amount_cents: 1,
      currency: 'EUR',
      is_booked: true,
      is_reversal: false,
      is_return: false,
      is_batch_sum: false,
      fingerprint: hash(32),
    },
  },
  breaks: {
    bank_files_kind_check: [{ kind: 'camt.029' }],
    bank_files_reason: [{ state: 'REFUSED' }, { reason: 'Line 1: the file is empty.' }],
    bank_files_sha256_check: [{ sha256: hash(31) }, { sha256: hash(33) }],
    bank_files_state_check: [{ state: 'LOST' }],
    bank_statements_kind_check: [{ kind: 'pain.002' }],
    bank_movements_amount_cents_check: [{ amount_cents: 0 }],
    bank_movements_direction_check: [{ direction: 'BOTH' }],
    bank_movements_outcome_check: [{ outcome: 'LOST' }],
    bank_entries_matched: [
      { matched_at: AT },
      { outcome: 'ORDINARY' },
      { outcome: 'MOVEMENT', matched_at: AT },
      { movement_id: ID },
    ],
    bank_entries_outcome_check: [{ outcome: 'LOST', matched_at: AT }],
  },
  twins: {
    bank_entries_place: { id: OTHER_ID },
    bank_file_parts_number: { id: OTHER_ID },
    bank_files_sha256_key: { id: OTHER_ID },
    bank_movements_network_reference_key: { id: OTHER_ID },
  },
};
