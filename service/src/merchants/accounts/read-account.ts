import { formatAccount, hasScheme, readAccountNumber } from '#lib/bank/account-number.ts';
import { SCHEME_NAMES, type SchemeName } from '#lib/bank/account-schemes.ts';
import { readBic, readIban } from '#lib/bank/iban.ts';
import { EMAIL, LONGEST_EMAIL } from '#lib/text-forms.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import type { AccountDetails } from './account.ts';
import { type AddressInput, LONGEST_PARTS, readAddress } from './read-address.ts';

/** The place for a name in payment files and QR codes (ISO 20022 `Max70Text`, EPC069-12). */
const LONGEST_HOLDER = 70;
export const LONGEST_TEXTS = { holder: LONGEST_HOLDER, ...LONGEST_PARTS };
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

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
    throw new Refusal('account.holder', { most: LONGEST_HOLDER });
  }
  const accountNumber = readNumber(input);
  const code = bic === null ? null : readBic(bic);
  if (bic !== null && code === null) {
    throw new Refusal('account.bic');
  }
  return {
    ...{ holder: name, accountNumber, bic: code, address: readAddress(address) },
    statementId: readStatementId(input, accountNumber),
    etransferAddress: readEtransferAddress(input, accountNumber),
  };
}

function readNumber({ iban, scheme, bank, number }: AccountInput): string {
  if ((iban === undefined) === (scheme === undefined)) {
    throw new Refusal('account.named');
  }
  if (iban !== undefined) {
    if (bank !== undefined) throw new Refusal('account.bankAlone');
    if (number !== undefined) throw new Refusal('account.numberAlone');
    const reading = readIban(iban);
    if ('iban' in reading) return reading.iban;
    throw new Refusal('account.iban', { fault: reading.fault });
  }
  const name = scheme?.trim().toUpperCase() as SchemeName;
  if (!SCHEME_NAMES.includes(name)) {
    throw new Refusal('account.scheme', { names: SCHEME_NAMES.join(', ') });
  }
  const read = readAccountNumber(name, bank ?? '', number ?? '');
  if (typeof read === 'object') return formatAccount(read);
  throw new Refusal(`account.${read}`, { scheme: name });
}

/** ISO 20022's longest identification of an account (`Max34Text`). */
const STATEMENT_ID = /^[\x21-\x7e](?:[\x20-\x7e]{0,32}[\x21-\x7e])?$/;

function readStatementId({ statementId }: AccountInput, accountNumber: string): string | null {
  if (statementId === undefined) return null;
  if (!hasScheme(accountNumber)) {
    throw new Refusal('account.statementIdIban');
  }
  if (STATEMENT_ID.test(statementId.trim())) return statementId.trim();
  throw new Refusal('account.statementId');
}

function readEtransferAddress(input: AccountInput, accountNumber: string): string | null {
  const address = input.etransferAddress?.trim().toLowerCase();
  if (address === undefined) return null;
  if (!accountNumber.startsWith('CA:')) {
    throw new Refusal('account.etransferScheme');
  }
  if (address.length <= LONGEST_EMAIL && new RegExp(EMAIL, 'u').test(address)) return address;
  throw new Refusal('account.etransfer');
}
