import { execute } from '#database/statements.ts';

/**
 * Erases what the pages keep of payers. The reference stays: money can still come.
 *
 * The message and the language are the merchant's words about the payer.
 */
export const eraseRequestData = execute<[paymentRequestIds: readonly string[]]>(
  'bank-transfer-request-erase-payers',
  `UPDATE bank_transfer_requests SET display_message = NULL, preferred_language = NULL
   WHERE payment_request_id = ANY ($1::uuid[])`,
);
