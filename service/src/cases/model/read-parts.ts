import type { MoneyPart } from '#e-transfer/money-parts.ts';
import { parseAmountCents } from '#lib/money.ts';

/** Above every transfer that a bank books, and exact as a number. */
export const MOST_PART_CENTS = 99_999_999_999;

/**
 * Reads a part as a person writes it: the id of a payment request, `=`, and the amount to the cent.
 *
 * @returns null: it has another shape, or the amount is not at least 0.01
 */
export function readPart(text: string): MoneyPart | null {
  const [paymentRequestId = '', amount = '', ...rest] = text.split('=').map((each) => each.trim());
  const amountCents = parseAmountCents(amount, MOST_PART_CENTS);
  if (paymentRequestId === '' || rest.length > 0 || typeof amountCents !== 'number') return null;
  return { paymentRequestId: paymentRequestId.toLowerCase(), amountCents };
}
