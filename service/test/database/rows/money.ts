import { AT, hash, ID, OTHER_ID, type RowsOfPart } from './rows-of-part.ts';

const IBAN = 'DE89370400440532013000';

export const MONEY_ROWS: RowsOfPart = {
  valid: {
    creditor_accounts: {
      id: ID,
      merchant_id: 'mer_1',
      version: 1,
      holder: 'Harbour Books Ltd',
      iban: IBAN,
    },
    creditor_ibans: { iban: IBAN, merchant_id: 'mer_1' },
    ledger_entries: {
      id: ID,
      type: 'PAYMENT',
      amount_cents: 1,
      currency: 'EUR',
      network_reference: 'REF-1',
    },
    refunds: {
      id: ID,
      payment_request_id: ID,
      merchant_id: 'mer_1',
      merchant_refund_id: 'refund-1',
      body_hash: hash(32),
      amount_cents: 1,
      operator_case_id: ID,
      created_at: AT,
    },
  },
  breaks: {
    creditor_accounts_address: [
      { address: {} },
      { address: { postalCode: '8001', town: 'Zürich' } },
      { address: { postalCode: '8001', town: 'Zürich', country: 'ch' } },
      { address: { postalCode: '8001', town: 'Zürich', country: 'CH', street: '' } },
    ],
    creditor_accounts_bic_check: [{ bic: 'DEUTDEF' }, { bic: 'DEUTDEFF5' }, { bic: 'deutdeff' }],
    creditor_accounts_holder_check: [{ holder: '' }, { holder: 'h'.repeat(71) }],
    creditor_accounts_version_check: [{ version: 0 }],
    creditor_ibans_iban_check: [{ iban: 'DE89' }, { iban: 'DE89 3704 0044 0532 0130 00' }],
    deployment_currency_check: [{ currency: 'Euro' }],
    deployment_network_check: [{ network: '' }, { network: 'n'.repeat(41) }],
    ledger_entries_amount_cents_check: [{ amount_cents: 0 }],
    ledger_entries_currency_check: [{ currency: 'eur' }],
    ledger_entries_type_check: [{ type: 'GIFT' }],
    merchants_refunds_per_day_cents_check: [{ refunds_per_day_cents: -1 }],
    operator_cases_settlement: [{ settlement: 'ACCEPTED' }],
    operator_cases_settlement_check: [{ settlement: 'LOST', closed_at: AT }],
    payment_requests_sums: [
      { received_cents: -1 },
      { returned_cents: -1 },
      { refunded_cents: -1 },
      { refunding_cents: -1 },
    ],
    refunds_amount_cents_check: [{ amount_cents: 0 }],
    refunds_body_hash: [{ body_hash: null }],
    refunds_body_hash_check: [{ body_hash: hash(31) }, { body_hash: hash(33) }],
    refunds_merchant_refund_id_check: [
      { merchant_refund_id: '' },
      { merchant_refund_id: 'r'.repeat(65) },
    ],
    refunds_message_check: [{ message: '' }, { message: 'm'.repeat(141) }],
    refunds_reason_check: [{ reason: 'BORED' }],
    refunds_status_check: [{ status: 'LOST' }],
    refunds_status_reason: [{ status: 'FAILED' }, { status_reason_code: 'PAYER_ACCOUNT_UNKNOWN' }],
  },
  twins: {
    creditor_accounts_current: { id: OTHER_ID, version: 2 },
    creditor_accounts_version: { id: OTHER_ID, replaced_at: AT },
    ledger_entries_fee_once: [{ type: 'FEE' }, { id: OTHER_ID }],
    ledger_entries_incoming_once: { id: OTHER_ID, type: 'PART_PAYMENT' },
    ledger_entries_refund_once: [
      { type: 'REFUND', refund_id: ID },
      { id: OTHER_ID, network_reference: 'REF-2' },
    ],
    ledger_entries_return_once: [{ type: 'RETURN' }, { id: OTHER_ID }],
    refunds_merchant_refund_id: { id: OTHER_ID, operator_case_id: OTHER_ID },
    refunds_of_case: { id: OTHER_ID, merchant_refund_id: 'refund-2' },
  },
};
