import { checkDigit10, checkDigits97 } from '#lib/bank/check-digits.ts';

/** 10^24 references: none comes twice. */
export const QR_RANDOM_DIGITS = 24;
/** Not the check of the creditor reference: a reference of one kind is none of the other. */
const ISSUER = 'PRQ';

/**
 * A reference of 27 digits for a Swiss QR-IBAN: the random digits, two digits that only references
 * issued here satisfy, and the check digit of the Swiss standard.
 *
 * @param random exactly 24 digits from a CSPRNG
 */
export function qrReferenceOf(random: string): string {
  const body = random + checkDigits97(random, ISSUER);
  return body + checkDigit10(body);
}
