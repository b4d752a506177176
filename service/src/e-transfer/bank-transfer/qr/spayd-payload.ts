import { formatAmount } from '#lib/money.ts';
import { fieldOf, type Transfer } from './transfer.ts';

const LONGEST_NAME = 35;
/** The field takes ten characters: 9999999.99 is the highest amount. */
const LONGEST_AMOUNT = 10;

/**
 * The text of the QR code that Czech banking apps scan (Short Payment Descriptor 1.0). Its own
 * reference field holds 16 digits; the RF reference goes into the message, which is passed on.
 *
 * @returns null when the amount is above the highest that the code can hold
 */
export function spaydPayload({
  holder,
  iban,
  bic,
  amountCents,
  reference,
}: Transfer): string | null {
  const amount = formatAmount(amountCents);
  if (amount.length > LONGEST_AMOUNT) return null;
  const account = bic === null ? iban : `${iban}+${bic}`;
  const name = encode(fieldOf(holder, LONGEST_NAME));
  return `SPD*1.0*ACC:${account}*AM:${amount}*CC:CZK*RN:${name}*MSG:${reference}`;
}

/** `*` separates the fields, and other characters than these are percent-encoded. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('*', '%2A').replaceAll('%20', ' ');
}
