import { formatAmount } from '#lib/money.ts';
import type { Transfer } from './epc-payload.ts';

const LONGEST_NAME = 35;

/**
 * The text of the QR code that Czech banking apps scan (Short Payment Descriptor 1.0). Its own
 * reference field holds 16 digits; the RF reference goes into the message, which is passed on.
 */
export function spaydPayload({ holder, iban, bic, amountCents, reference }: Transfer): string {
  const account = bic === null ? iban : `${iban}+${bic}`;
  const name = encode([...holder].slice(0, LONGEST_NAME).join(''));
  const amount = formatAmount(amountCents);
  return `SPD*1.0*ACC:${account}*AM:${amount}*CC:CZK*RN:${name}*MSG:${reference}`;
}

/** `*` separates the fields, and other characters than these are percent-encoded. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('*', '%2A').replaceAll('%20', ' ');
}
