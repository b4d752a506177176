import { execute } from '#database/statements.ts';

/** Erases names and accounts of payers in refunds that are over. */
export const eraseRefundData = execute<[paymentRequestIds: readonly string[]]>(
  'bank-refund-erase-payers',
  `UPDATE bank_refunds SET creditor_encrypted = NULL, message = NULL
   WHERE payment_request_id = ANY ($1::uuid[])
     AND state IN ('COMPLETED', 'FAILED', 'RETURNED')`,
);
