import { allRows, firstRowOrNull, firstValue } from '#database/statements.ts';

/** A payment request as the payer's page of a demo shows it. */
export interface DemoTransfer {
  readonly reference: string;
  /** The merchant's, as payers type it. */
  readonly account: string;
  readonly amountCents: number;
  readonly receivedCents: number;
  readonly currency: string;
}

/** A refund in a payment file that the demo's bank has not executed. */
export interface DemoRefund {
  readonly refundId: string;
  readonly account: string;
  readonly amountCents: number;
  readonly currency: string;
}

/** Whether the database is marked as a demo, for ever (bank-transfer §6). */
export const isDemoDatabase = firstValue<boolean>(
  'bank-demo-is-marked',
  'SELECT is_bank_demo AS "isDemo" FROM deployment',
  false,
);

/** By the short code of the payment link; null: no payer has opened it. */
export const findDemoTransfer = firstRowOrNull<DemoTransfer, [shortCode: string]>(
  'bank-demo-find-transfer',
  `SELECT r.reference, a.account_number AS account, r.amount_cents AS "amountCents",
     r.received_cents AS "receivedCents", r.currency
   FROM payment_requests p
   JOIN bank_transfer_requests r ON r.payment_request_id = p.id
   JOIN creditor_accounts a ON a.id = r.account_id WHERE p.short_code = $1`,
);

export const listDemoRefunds = allRows<DemoRefund, [limit: number]>(
  'bank-demo-list-refunds',
  `SELECT b.refund_id AS "refundId", a.account_number AS account,
     b.amount_cents AS "amountCents", b.currency
   FROM bank_refunds b JOIN bank_payment_files f ON f.message_id = b.message_id
   JOIN creditor_accounts a ON a.id = f.account_id
   WHERE b.state = 'SENT' AND (f.connection IS NULL OR f.written_at IS NOT NULL)
   ORDER BY a.key, b.refund_id LIMIT $1`,
);
