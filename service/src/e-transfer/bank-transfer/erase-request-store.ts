import type { Executor } from '#database/database.ts';

/** The message and the language are the merchant's words about the payer. */
const ERASE = {
  name: 'bank-transfer-request-erase-payers',
  text: `UPDATE bank_transfer_requests SET display_message = NULL, preferred_language = NULL
         WHERE payment_request_id = ANY ($1::uuid[])`,
};

/** Erases what the pages keep of payers. The reference stays: money can still come. */
export async function eraseRequestData(
  tx: Executor,
  paymentRequestIds: readonly string[],
): Promise<void> {
  await tx.query(ERASE, [paymentRequestIds]);
}
