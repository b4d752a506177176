import { mod97 } from './check-digits.ts';

/** ISO 13616: two letters, two check digits, at most 30 characters of the country. */
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
/** Countries whose length a typing mistake often misses; the check digits find the others. */
const SWISS = /^(CH|LI)/;
const SWISS_LENGTH = 21;
/** A Swiss QR-IBAN has an institution number from 30000 to 31999. */
const QR_IBAN = /^(CH|LI)\d{2}3[01]\d{3}/;

/** The IBAN without blanks and in capitals; null when it is none or its check digits are wrong. */
export function readIban(text: string): string | null {
  const iban = text.replaceAll(/[\s-]/g, '').toUpperCase();
  if (!IBAN.test(iban) || mod97(iban.slice(4) + iban.slice(0, 4)) !== 1) return null;
  return SWISS.test(iban) && iban.length !== SWISS_LENGTH ? null : iban;
}

/** A QR-IBAN takes only payments with a QR reference. */
export function isQrIban(iban: string): boolean {
  return QR_IBAN.test(iban);
}
