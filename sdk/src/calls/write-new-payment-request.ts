import { amountToCents, centsToAmount } from '../amounts.ts';
import type { NewPaymentRequest } from '../payment-request-inputs.ts';

/**
 * Writes the body of a creation. The amount keeps its own digits; no fraction is computed.
 * @throws InvalidArgumentError for an invalid amount
 */
export function writeNewPaymentRequest({
  amount,
  type = 'ECOMM',
  ...others
}: NewPaymentRequest): string {
  const rest = JSON.stringify({ type, ...others });
  return `{"amount":${centsToAmount(amountToCents(amount))},${rest.slice(1)}`;
}
