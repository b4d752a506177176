import { amountToCents, centsToAmount } from '../amounts.ts';
import type { NewPaymentRequest } from '../payment-request.ts';

/**
 * Writes the body of a creation. The amount is written from its own digits, never from a fraction.
 * @throws RangeError for an amount that is none
 */
export function writeNewPaymentRequest({ amount, ...others }: NewPaymentRequest): string {
  const rest = JSON.stringify({ type: 'ECOMM', ...others });
  return `{"amount":${centsToAmount(amountToCents(amount))},${rest.slice(1)}`;
}
