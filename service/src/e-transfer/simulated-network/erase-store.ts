import type { Executor } from '#database/database.ts';

/** The message and the language are the merchant's words about the payer. */
const ERASE = {
  name: 'gateway-payment-erase-payers',
  text: `UPDATE gateway_payments SET display_message = NULL, preferred_language = NULL
         WHERE payment_request_id = ANY ($1::uuid[])`,
};

/** Erases what the simulated network keeps of payers; its sessions are pruned within the hour. */
export async function eraseGatewayData(
  tx: Executor,
  paymentRequestIds: readonly string[],
): Promise<void> {
  await tx.query(ERASE, [paymentRequestIds]);
}
