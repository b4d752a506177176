import { AT, ID, type RowsOfPart } from './rows-of-part.ts';

export const MERCHANT_NOTICE_ROWS: RowsOfPart = {
  valid: {
    merchant_notices: { id: ID, merchant_id: 'mer_1', kind: 'REFUND_FAILED' },
  },
  breaks: {
    merchant_notices_attempts_check: [{ attempts: -1 }],
    merchant_notices_completion: [{ completed_at: AT }, { status: 'SENT' }],
    merchant_notices_currency_check: [{ currency: 'eur' }],
    merchant_notices_number_end_check: [{ number_end: '123' }, { number_end: 'DE893' }],
    merchant_notices_kind_check: [{ kind: 'PAYMENT_COMPLETED' }],
    merchant_notices_previous_number_end_check: [{ previous_number_end: 'DE893' }],
    merchant_notices_status_check: [{ status: 'LOST', completed_at: AT }],
    merchants_notice_email_check: [
      { notice_email: 'shop' },
      { notice_email: 'a b@shop.example' },
      { notice_email: `a@${'b'.repeat(253)}` },
    ],
  },
  twins: {},
};
