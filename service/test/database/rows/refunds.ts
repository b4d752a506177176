import { ID, OTHER_ID, type RowsOfPart } from './rows-of-part.ts';

export const REFUND_ROWS: RowsOfPart = {
  valid: {
    gateway_refunds: {
      refund_id: ID,
      payment_request_id: ID,
      amount_cents: 1,
      network_reference: 'SNR1',
      outcome: 'COMPLETE',
    },
    refund_days: { merchant_id: 'mer_1', day: '2026-03-01', cents: 1 },
  },
  breaks: {
    gateway_refunds_amount_cents_check: [{ amount_cents: 0 }],
    gateway_refunds_outcome_check: [{ outcome: 'LOSE' }],
    gateway_refunds_reason: [{ outcome: 'REFUSE' }, { refusal_reason: 'NETWORK_REJECTED' }],
    gateway_refunds_state_check: [{ state: 'LOST' }],
    refund_days_cents_check: [{ cents: -1 }],
  },
  twins: {
    gateway_refunds_network_reference_key: { refund_id: OTHER_ID },
  },
};
