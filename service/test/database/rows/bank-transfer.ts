import { AT, ID, OTHER_ID, type RowsOfPart } from './rows-of-part.ts';

export const BANK_TRANSFER_ROWS: RowsOfPart = {
  valid: {
    bank_transfer_requests: {
      payment_request_id: ID,
      page_key: 'abcdefghijklmnopqrstuv',
      merchant_id: 'mer_1',
      reference: 'RF18539007547034',
      account_id: ID,
      amount_cents: 1,
      currency: 'EUR',
      merchant_name: 'Harbour Books',
      payment_link: 'https://pay.example/1',
      qr_code_link: 'https://pay.example/qr/1',
      return_url: 'https://pay.example/1?returned=1',
      expires_at: AT,
    },
  },
  breaks: {
    bank_transfer_requests_amount_cents_check: [{ amount_cents: 0 }],
    bank_transfer_requests_cancelled_at: [{ state: 'CANCELLED' }],
    bank_transfer_requests_currency_check: [{ currency: 'eur' }],
    bank_transfer_requests_page_key_check: [
      { page_key: 'short' },
      { page_key: 'c1-abcdefghijklmnopqrstuv' },
    ],
    bank_transfer_requests_received_cents_check: [{ received_cents: -1 }],
    bank_transfer_requests_reference_check: [{ reference: 'RF18' }, { reference: '1234' }],
    bank_transfer_requests_state_check: [{ state: 'LOST' }],
  },
  twins: {
    bank_transfer_requests_page_key_key: {
      payment_request_id: OTHER_ID,
      reference: 'RF18000000000000',
    },
    bank_transfer_requests_reference_key: {
      payment_request_id: OTHER_ID,
      page_key: 'bbcdefghijklmnopqrstuv',
    },
  },
};
