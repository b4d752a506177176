import { formatAmount } from '#lib/money.ts';

/** EPC069-12, version 002: the payload of a SEPA credit transfer. */
const LONGEST_NAME = 70;
const LONGEST_BYTES = 331;

export interface Transfer {
  /** The account holder: banks compare the name with the account and warn the payer. */
  readonly holder: string;
  readonly iban: string;
  readonly bic: string | null;
  readonly amountCents: number;
  readonly reference: string;
}

/**
 * The text of the QR code that European banking apps scan (EPC069-12): UTF-8, amounts from cents,
 * the reference as a structured one.
 *
 * @throws RangeError when the text would be longer than 331 bytes, which the code may not be
 */
export function epcPayload({ holder, iban, bic, amountCents, reference }: Transfer): string {
  const amount = `EUR${formatAmount(amountCents)}`;
  const name = [...holder].slice(0, LONGEST_NAME).join('');
  const payload = ['BCD', '002', '1', 'SCT', bic ?? '', name, iban, amount, '', reference].join(
    '\n',
  );
  if (Buffer.byteLength(payload) > LONGEST_BYTES) throw new RangeError('The payload is too long.');
  return payload;
}
