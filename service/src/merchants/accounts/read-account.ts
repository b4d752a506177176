import { type IbanFault, readBic, readIban } from '#lib/bank/iban.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import type { AccountDetails } from './account.ts';
import { type AddressInput, LONGEST_PARTS, readAddress } from './read-address.ts';

/** The place for a name in payment files and QR codes (ISO 20022 `Max70Text`, EPC069-12). */
const LONGEST_HOLDER = 70;
export const LONGEST_TEXTS = { holder: LONGEST_HOLDER, ...LONGEST_PARTS };
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const IBAN_FAULTS: Readonly<Record<IbanFault, string>> = {
  NO_IBAN: 'it must begin with two letters and two digits, as in DE89 3704 0044 0532 0130 00',
  UNKNOWN_COUNTRY: 'its first two letters name no country with IBANs',
  WRONG_LENGTH: 'it is too short or too long for its country',
  WRONG_CHECK_DIGITS: 'its check digits do not match, so a character is wrong',
};

/** An account as an operator types it. */
export interface AccountInput {
  readonly holder: string;
  readonly iban: string;
  readonly bic: string | null;
  readonly address?: AddressInput;
}

/** @throws OperatorFault that names the option; the IBAN is not repeated */
export function readAccount({ holder, iban, bic, address = {} }: AccountInput): AccountDetails {
  const name = holder.normalize('NFC').trim();
  if (name === '' || [...name].length > LONGEST_HOLDER || UNPRINTABLE.test(name)) {
    throw new OperatorFault(`--holder must be 1 to ${LONGEST_HOLDER} printable characters.`);
  }
  const reading = readIban(iban);
  if ('fault' in reading) {
    throw new OperatorFault(`--iban is no IBAN: ${IBAN_FAULTS[reading.fault]}.`);
  }
  const code = bic === null ? null : readBic(bic);
  if (bic !== null && code === null) {
    throw new OperatorFault('--bic is no BIC: it has 8 or 11 characters, as in COBADEFFXXX.');
  }
  return { holder: name, iban: reading.iban, bic: code, address: readAddress(address) };
}
