import { isQrIban } from '#lib/bank/iban.ts';
import { randomPoolBytes } from '#lib/random-pool.ts';
import { creditorReferenceOf, RANDOM_DIGITS } from './creditor-reference.ts';
import { QR_RANDOM_DIGITS, qrReferenceOf } from './qr-reference.ts';

/** The largest multiple of 10 in a byte: higher bytes would make the first digits likelier. */
const BOUND = 250;

/**
 * A new reference for an account: a QR reference where the account is a Swiss QR-IBAN, which takes
 * no other, else a creditor reference. It is drawn at random: the short code opens the payer's
 * page, and must not be read from a bank statement.
 */
export function newReference(accountNumber: string): string {
  return isQrIban(accountNumber)
    ? qrReferenceOf(randomDigits(QR_RANDOM_DIGITS))
    : creditorReferenceOf(randomDigits(RANDOM_DIGITS));
}

function randomDigits(count: number): string {
  let digits = '';
  while (digits.length < count) {
    for (const byte of randomPoolBytes(count - digits.length)) {
      if (byte < BOUND) digits += String(byte % 10);
    }
  }
  return digits;
}
