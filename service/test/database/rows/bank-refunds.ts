import { AT, hash, ID, OTHER_ID, type RowsOfPart } from './rows-of-part.ts';

const FILE = 'PRS-20260301-0000000000000001';

export const BANK_REFUND_ROWS: RowsOfPart = {
  valid: {
    bank_refunds: {
      refund_id: ID,
      payment_request_id: ID,
      account_id: ID,
      amount_cents: 1,
      currency: 'EUR',
      creditor_encrypted: hash(32),
      list_reference: 'PRS000000001',
    },
    bank_payment_files: {
      message_id: FILE,
      account_id: ID,
      refunds: 1,
      total_cents: 1,
      bytes_encrypted: hash(32),
    },
  },
  breaks: {
    bank_payment_files_connection_check: [{ connection: -1 }, { connection: 10 }],
    bank_payment_files_format_check: [{ format: 'CSV' }],
    bank_payment_files_message_id_check: [{ message_id: '' }, { message_id: 'prs 1' }],
    bank_payment_files_refunds_check: [{ refunds: 0 }],
    bank_payment_files_total_cents_check: [{ total_cents: 0 }],
    bank_payment_files_unclear: [
      { unclear_at: AT },
      { unclear_reason: 'Gone.' },
      { unclear_at: AT, unclear_reason: 'Gone.', written_at: AT, written_as: 'sftp' },
    ],
    bank_payment_files_way: [{ putting_at: AT }, { released_at: AT }],
    bank_payment_files_written: [{ written_at: AT }, { written_as: '.part' }],
    bank_refunds_amount_cents_check: [{ amount_cents: 0 }],
    bank_refunds_creditor: [{ creditor_encrypted: null }],
    bank_refunds_currency_check: [{ currency: 'eur' }],
    bank_refunds_list_reference_check: [{ list_reference: 'PRS00000001' }],
    bank_refunds_message: [
      { message_id: FILE },
      { state: 'SENT' },
      { state: 'COMPLETED', outcome: {} },
    ],
    bank_refunds_outcome: [{ outcome: {} }, { state: 'FAILED' }],
    bank_refunds_state_check: [{ state: 'LOST', message_id: FILE, outcome: {} }],
  },
  twins: { bank_refunds_list_reference_key: { refund_id: OTHER_ID } },
};
