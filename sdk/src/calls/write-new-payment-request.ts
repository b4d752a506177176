import { amountToCents, centsToAmount } from '../amounts.ts';
import type { NewPaymentRequest } from '../payment-request.ts';

/**
 * Writes the body of a creation. The amount keeps its own digits; no fraction is computed.
 * @throws RangeError for an invalid amount
 */
export function writeNewPaymentRequest({ amount, ...others }: NewPaymentRequest): string {
  const rest = JSON.stringify({ type: 'ECOMM', ...others });
  return `{"amount":${centsToAmount(amountToCents(amount))},${rest.slice(1)}`;
}
