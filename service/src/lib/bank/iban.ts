import { mod97 } from './check-digits.ts';
import { ibanLengthOf } from './iban-countries.ts';

/** ISO 13616: two letters, two check digits, at most 30 characters of the country. */
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{0,30}$/;
/** ISO 9362: institution, country, location, and the branch that may be missing. */
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** A Swiss QR-IBAN has an institution number from 30000 to 31999. */
const QR_IBAN = /^(CH|LI)\d{2}3[01]\d{3}/;

/** The reason why a text is no IBAN; an operator reads it. */
export type IbanFault = 'NO_IBAN' | 'UNKNOWN_COUNTRY' | 'WRONG_LENGTH' | 'WRONG_CHECK_DIGITS';

export type IbanReading =
  /** Electronic form: capital letters and digits, no blanks. */
  { readonly iban: string } | { readonly fault: IbanFault };

/** Reads an IBAN as people write it: with blanks or dashes, in any case. */
export function readIban(text: string): IbanReading {
  const iban = text.replaceAll(/[\s-]/g, '').toUpperCase();
  if (!IBAN.test(iban)) return { fault: 'NO_IBAN' };
  const length = ibanLengthOf(iban.slice(0, 2));
  if (length === null) return { fault: 'UNKNOWN_COUNTRY' };
  if (iban.length !== length) return { fault: 'WRONG_LENGTH' };
  const isSound = mod97(iban.slice(4) + iban.slice(0, 4)) === 1;
  return isSound ? { iban } : { fault: 'WRONG_CHECK_DIGITS' };
}

/** Reads a BIC in capitals; null when the text is none. */
export function readBic(text: string): string | null {
  const bic = text.replaceAll(/\s/g, '').toUpperCase();
  return BIC.test(bic) ? bic : null;
}

/** A QR-IBAN takes only payments with a QR reference. */
export function isQrIban(iban: string): boolean {
  return QR_IBAN.test(iban);
}
