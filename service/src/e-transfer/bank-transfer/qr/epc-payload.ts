import { formatAmount } from '#lib/money.ts';
import { fieldOf, type Transfer } from './transfer.ts';

const LONGEST_NAME = 70;
const LONGEST_BYTES = 331;

/**
 * The text of the QR code that European banking apps scan (EPC069-12, version 002): UTF-8, amounts
 * from cents, the reference as a structured one.
 *
 * @returns null when the text would be longer than 331 bytes, which the code may not be
 */
export function epcPayload({ holder, iban, bic, amountCents, reference }: Transfer): string | null {
  const amount = `EUR${formatAmount(amountCents)}`;
  const name = fieldOf(holder, LONGEST_NAME);
  // No purpose; after the reference no text and no information.
  const rest = ['', reference, '', ''];
  const payload = ['BCD', '002', '1', 'SCT', bic ?? '', name, iban, amount, ...rest].join('\n');
  return Buffer.byteLength(payload) > LONGEST_BYTES ? null : payload;
}
