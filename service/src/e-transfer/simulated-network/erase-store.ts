import { execute } from '#database/statements.ts';

/**
 * Erases what the simulated network keeps of payers; its sessions are pruned within the hour.
 *
 * The message and the language are the merchant's words about the payer.
 */
export const eraseGatewayData = execute<[paymentRequestIds: readonly string[]]>(
  'gateway-payment-erase-payers',
  `UPDATE gateway_payments SET display_message = NULL, preferred_language = NULL
   WHERE payment_request_id = ANY ($1::uuid[])`,
);
