import { Refusal } from '#merchants/operator-fault.ts';
import type { HolderAddress } from './account.ts';

/** An address as an operator types it. */
export interface AddressInput {
  readonly street?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly town?: string | undefined;
  readonly country?: string | undefined;
}

/** The places of a Swiss QR-bill (Implementation Guidelines QR-bill 2.3, type of address S). */
export const LONGEST_PARTS = { street: 70, postalCode: 16, town: 35 } as const;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** CLDR names it "Unknown Region". */
const UNKNOWN_COUNTRY = 'ZZ';

/**
 * @returns null: no part of an address was given
 * @throws OperatorFault that names the option
 */
export function readAddress(input: AddressInput): HolderAddress | null {
  const { street, postalCode, town, country } = input;
  if ([street, postalCode, town, country].every((part) => part === undefined)) return null;
  if (postalCode === undefined || town === undefined || country === undefined) {
    throw new Refusal('account.address');
  }
  return {
    street: street === undefined ? null : readPart('street', street),
    postalCode: readPart('postalCode', postalCode),
    town: readPart('town', town),
    country: readCountry(country),
  };
}

function readPart(name: keyof typeof LONGEST_PARTS, text: string): string {
  const longest = LONGEST_PARTS[name];
  const part = text.normalize('NFC').trim();
  if (part === '' || [...part].length > longest || UNPRINTABLE.test(part)) {
    const option = name === 'postalCode' ? 'postal-code' : name;
    throw new Refusal('account.part', { option, most: longest });
  }
  return part;
}

function readCountry(text: string): string {
  const country = text.trim().toUpperCase();
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const isKnown = /^[A-Z]{2}$/.test(country) && names.of(country) !== undefined;
  if (!isKnown || country === UNKNOWN_COUNTRY) {
    throw new Refusal('account.country');
  }
  return country;
}
