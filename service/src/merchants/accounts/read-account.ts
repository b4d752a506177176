import { formatAccount, hasScheme, readAccountNumber } from '#lib/bank/account-number.ts';
import { ACCOUNT_SCHEMES, SCHEME_NAMES, type SchemeName } from '#lib/bank/account-schemes.ts';
import { type IbanFault, readBic, readIban } from '#lib/bank/iban.ts';
import { EMAIL, LONGEST_EMAIL } from '#lib/text-forms.ts';
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
  /** absent: `scheme`, `bank` and `number` name the account. */
  readonly iban?: string | undefined;
  readonly scheme?: string | undefined;
  readonly bank?: string | undefined;
  readonly number?: string | undefined;
  readonly statementId?: string | undefined;
  readonly etransferAddress?: string | undefined;
  readonly bic: string | null;
  readonly address?: AddressInput;
}

/** An account as a command's options or a form's fields give it; `undefined` for a missing one. */
export function accountInputOf(given: (name: string) => string | undefined): AccountInput {
  return {
    ...{ holder: given('holder') ?? '', iban: given('iban'), bic: given('bic') ?? null },
    ...{ scheme: given('scheme'), bank: given('bank'), number: given('number') },
    ...{ statementId: given('statementId'), etransferAddress: given('etransferAddress') },
    address: {
      ...{ street: given('street'), postalCode: given('postalCode') },
      ...{ town: given('town'), country: given('country') },
    },
  };
}

/** @throws OperatorFault that names the option; the account is not repeated */
export function readAccount(input: AccountInput): AccountDetails {
  const { holder, bic, address = {} } = input;
  const name = holder.normalize('NFC').trim();
  if (name === '' || [...name].length > LONGEST_HOLDER || UNPRINTABLE.test(name)) {
    throw new OperatorFault(`--holder must be 1 to ${LONGEST_HOLDER} printable characters.`);
  }
  const accountNumber = readNumber(input);
  const code = bic === null ? null : readBic(bic);
  if (bic !== null && code === null) {
    throw new OperatorFault('--bic is no BIC: it has 8 or 11 characters, as in COBADEFFXXX.');
  }
  return {
    ...{ holder: name, accountNumber, bic: code, address: readAddress(address) },
    statementId: readStatementId(input, accountNumber),
    etransferAddress: readEtransferAddress(input, accountNumber),
  };
}

function readNumber({ iban, scheme, bank, number }: AccountInput): string {
  if ((iban === undefined) === (scheme === undefined)) {
    throw new OperatorFault('Give --iban, or --scheme with --bank and --number.');
  }
  if (iban !== undefined) {
    if (bank !== undefined) throw new OperatorFault('--bank stands beside --scheme.');
    if (number !== undefined) throw new OperatorFault('--number stands beside --scheme.');
    const reading = readIban(iban);
    if ('iban' in reading) return reading.iban;
    throw new OperatorFault(`--iban is no IBAN: ${IBAN_FAULTS[reading.fault]}.`);
  }
  const name = scheme?.trim().toUpperCase() as SchemeName;
  if (!SCHEME_NAMES.includes(name)) {
    throw new OperatorFault(`--scheme must be one of ${SCHEME_NAMES.join(', ')}.`);
  }
  const read = readAccountNumber(name, bank ?? '', number ?? '');
  if (typeof read === 'object') return formatAccount(read);
  const form = ACCOUNT_SCHEMES[name][`${read}Form`];
  throw new OperatorFault(`--${read} of the scheme ${name} must be ${form}.`);
}

/** ISO 20022's longest identification of an account (`Max34Text`). */
const STATEMENT_ID = /^[\x21-\x7e](?:[\x20-\x7e]{0,32}[\x21-\x7e])?$/;

function readStatementId({ statementId }: AccountInput, accountNumber: string): string | null {
  if (statementId === undefined) return null;
  if (!hasScheme(accountNumber)) {
    throw new OperatorFault('--statement-id is for accounts without an IBAN.');
  }
  if (STATEMENT_ID.test(statementId.trim())) return statementId.trim();
  throw new OperatorFault('--statement-id must be 1 to 34 printable ASCII characters.');
}

function readEtransferAddress(input: AccountInput, accountNumber: string): string | null {
  const address = input.etransferAddress?.trim().toLowerCase();
  if (address === undefined) return null;
  if (!accountNumber.startsWith('CA:')) {
    throw new OperatorFault('--etransfer-address is for accounts of the scheme CA.');
  }
  if (address.length <= LONGEST_EMAIL && new RegExp(EMAIL, 'u').test(address)) return address;
  throw new OperatorFault('--etransfer-address must be an e-mail address.');
}
