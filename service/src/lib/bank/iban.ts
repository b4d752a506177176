import { countrySpecs } from 'ibantools';
import { mod97 } from './check-digits.ts';

export { isQRIBAN as isQrIban } from 'ibantools';

/** Territories with IBANs of France or Finland: no IBAN begins with their letters. */
const TERRITORIES = new Set('AX GF GP MF MQ NC PF PM RE TF WF YT'.split(' '));
/** Countries of the IBAN registry (SWIFT, release 99) that the library does not mark as such. */
const UNMARKED = new Set(['BI', 'DJ', 'FK', 'HN']);

/** ISO 13616: two letters, two check digits, at most 30 characters of the country. */
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{0,30}$/;
/** ISO 9362: institution, country, location, and the branch that may be missing. */
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** The reason why a text is no IBAN; an operator reads it. */
export type IbanFault = 'NO_IBAN' | 'UNKNOWN_COUNTRY' | 'WRONG_LENGTH' | 'WRONG_CHECK_DIGITS';

export type IbanReading =
  /** Electronic form: capital letters and digits, no blanks. */
  { readonly iban: string } | { readonly fault: IbanFault };

/** Reads an IBAN as people write it: with blanks or dashes, in any case. */
export function readIban(text: string): IbanReading {
  const iban = text.replaceAll(/[\s-]/g, '').toUpperCase();
  if (!IBAN.test(iban)) return { fault: 'NO_IBAN' };
  const country = iban.slice(0, 2);
  const { IBANRegistry: isMarked, chars } = countrySpecs[country] ?? {};
  const isRegistered = isMarked ? !TERRITORIES.has(country) : UNMARKED.has(country);
  if (!isRegistered) return { fault: 'UNKNOWN_COUNTRY' };
  if (iban.length !== chars) return { fault: 'WRONG_LENGTH' };
  const isSound = mod97(iban.slice(4) + iban.slice(0, 4)) === 1;
  return isSound ? { iban } : { fault: 'WRONG_CHECK_DIGITS' };
}

/** Reads a BIC in capitals; null when the text is none. */
export function readBic(text: string): string | null {
  const bic = text.replaceAll(/\s/g, '').toUpperCase();
  return BIC.test(bic) ? bic : null;
}
