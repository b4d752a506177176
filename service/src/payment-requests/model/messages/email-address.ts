import { PAYER_FIELDS } from '#payment-requests/model/fields.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';

/** The payer's e-mail address; null: there is none, or the payer was erased. */
export function knownEmail({ payer: { email } }: PaymentRequest): string | null {
  return email === PAYER_FIELDS.email.erasedTo ? null : email;
}

/** The address as everyone with the link may see it: `a…@example.com`. */
export function maskedAddress(address: string): string {
  const [first = ''] = address;
  return `${first}…${address.slice(address.lastIndexOf('@'))}`;
}
