import { allValues, execute, valuesByKey } from '#database/statements.ts';
import { isRefundOpen, sqlListOfRefunds } from '#refunds/model/statuses.ts';

/** Why the account number of a payer is still needed. */
export type OpenMoney = 'REFUND_OPEN' | 'CASE_OPEN';

/** The payment requests with an open refund or case; an open refund is named first. */
export const findOpenMoney = valuesByKey<string, OpenMoney, [paymentRequestIds: readonly string[]]>(
  'payer-erasure-find-open-money',
  `SELECT payment_request_id::text AS id, 'CASE_OPEN' AS because FROM operator_cases
     WHERE payment_request_id = ANY ($1::uuid[]) AND closed_at IS NULL
   UNION
   SELECT payment_request_id::text, 'REFUND_OPEN' FROM refunds
     WHERE payment_request_id = ANY ($1::uuid[]) AND status IN (${sqlListOfRefunds(isRefundOpen)})
   ORDER BY because`,
);

/** The refunds of payment requests, by id. */
export const findRefundIds = allValues<string, [paymentRequestIds: readonly string[]]>(
  'payer-erasure-find-refunds',
  'SELECT id::text FROM refunds WHERE payment_request_id = ANY ($1::uuid[])',
);

/** Erases the messages of refunds to payers. No refund may be open: its message is still sent. */
export const eraseRefundMessages = execute<[paymentRequestIds: readonly string[]]>(
  'payer-erasure-erase-refund-messages',
  `UPDATE refunds SET message = NULL
   WHERE payment_request_id = ANY ($1::uuid[]) AND message IS NOT NULL`,
);
