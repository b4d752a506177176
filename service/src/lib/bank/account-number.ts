import {
  ACCOUNT_SCHEMES,
  type BankPart,
  SCHEME_NAMES,
  type SchemeName,
} from './account-schemes.ts';
import { readBic } from './iban.ts';

/** An account as one text: an IBAN in electronic form, or `SCHEME:bank:number`. */
export interface AccountNumber {
  readonly scheme: 'IBAN' | SchemeName;
  /** Empty: the IBAN names it. */
  readonly bank: string;
  readonly number: string;
}

export type AccountField = BankPart | 'iban' | 'number';

/** Blanks and dashes part groups of digits. */
export const bare = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase();
export const withoutZeros = (text: string): string => text.replace(/^0+/, '');

/** Whether the text of an account is `SCHEME:bank:number`. */
export const hasScheme = (text: string): boolean => text.includes(':');

export function parseAccount(text: string): AccountNumber {
  const [scheme = '', bank = '', number = ''] = text.split(':');
  if (number === '') return { scheme: 'IBAN', bank: '', number: text };
  return { scheme: scheme as SchemeName, bank, number };
}

/** A number as a bank writes it; no text of a bank stands for `SCHEME:bank:number`. */
export const foreignNumber = (text: string): string => text.replaceAll(':', ' ');

export const formatAccount = ({ scheme, bank, number }: AccountNumber): string =>
  scheme === 'IBAN' ? number : `${scheme}:${bank}:${number}`;

/** Names an account in the whole deployment: banks write leading zeros, or leave them out. */
export function accountKeyOf(account: AccountNumber): string {
  return formatAccount({ ...account, number: withoutZeros(account.number) });
}

/** Reads a bank and a number as people write them; else the name of the one that is wrong. */
export function readAccountNumber(
  scheme: SchemeName,
  bankText: string,
  numberText: string,
): AccountNumber | 'bank' | 'number' {
  const { bank: bankForm, number: numberForm, weights } = ACCOUNT_SCHEMES[scheme];
  const bank = scheme === 'CA' ? canadianBank(bankText) : bare(bankText);
  if (!bankForm.test(bank) || (weights && weigh(bank, weights) % 10 !== 0)) return 'bank';
  const number = bare(numberText);
  return numberForm.test(number) && withoutZeros(number) ? { scheme, bank, number } : 'number';
}

const weigh = (digits: string, weights: readonly number[]): number =>
  [...digits].reduce((sum, each, n) => sum + Number(each) * (weights[n % weights.length] ?? 0), 0);

/** A cheque has the transit first, with a dash; electronic payments write a zero in front. */
function canadianBank(text: string): string {
  const [, transit = '', institution = ''] = /^(\d{5})-(\d{3})$/.exec(text.trim()) ?? [];
  return institution + transit || bare(text).replace(/^0(?=\d{8}$)/, '');
}

/** British accounts have both: the sort code and the number are the end of the IBAN. */
export function domesticOf(account: AccountNumber): AccountNumber {
  const [, bank, number] = /^GB\d{2}[A-Z]{4}(\d{6})(\d{8})$/.exec(account.number) ?? [];
  return bank && number ? { scheme: 'GB', bank, number } : account;
}

/** Names an account, and a British one by its scheme also where the text is its IBAN. */
export const sharedKeyOf = (text: string): string => accountKeyOf(domesticOf(parseAccount(text)));

/** The lines that a payer types, in the order of the scheme. */
export function fieldsOfAccount({ scheme, bank, number }: AccountNumber) {
  if (scheme === 'IBAN') return [{ name: 'iban' as AccountField, value: number }];
  let start = 0;
  const parts = ACCOUNT_SCHEMES[scheme].parts.map(([name, length]) => {
    const value = bank.slice(start, start + length);
    start += length;
    return { name: name as AccountField, value };
  });
  return [...parts, { name: 'number' as AccountField, value: number }];
}

/** A text in groups of four, as IBANs and creditor references are printed. */
export const inGroups = (text: string): string => text.replaceAll(/.{4}(?=.)/g, '$& ');

/** The account for people: an IBAN in groups of four, else the scheme and its lines. */
export function shownAccount(text: string): string {
  const account = parseAccount(text);
  if (account.scheme === 'IBAN') return inGroups(text);
  return [account.scheme, ...fieldsOfAccount(account).map(({ value }) => value)].join(' ');
}

/** The bank in a payment file (`ClrSysMmbId`); null: the account's scheme has no clearing code. */
export function clearingOf({ scheme, bank }: AccountNumber) {
  const { clearingSystem, memberPrefix = '' } =
    scheme === 'IBAN' ? { clearingSystem: null } : ACCOUNT_SCHEMES[scheme];
  return clearingSystem === null ? null : { system: clearingSystem, memberId: memberPrefix + bank };
}

/** The account that a bank names by clearing code and number; null: no scheme has such a one. */
export function accountAtMember(system: string, memberId: string, number: string) {
  const scheme = SCHEME_NAMES.find((each) => ACCOUNT_SCHEMES[each].clearingSystem === system);
  const read = scheme && readAccountNumber(scheme, memberId, number);
  return typeof read === 'object' ? read : null;
}

/**
 * Whether a servicer's clearing id or BIC names the bank of the account. Branches of a bank may
 * have the same number: a clearing id decides before the BIC, which is that of all branches.
 */
export function isBankOf(account: AccountNumber, bic: string | null, codes: readonly string[]) {
  const member = clearingOf(account)?.memberId ?? account.bank;
  const clearingId = codes.map(bare).find((code) => readBic(code) === null);
  if (clearingId !== undefined) return withoutZeros(clearingId) === withoutZeros(member);
  const bankOf = (code: string) => bare(code).slice(0, BIC_OF_BANK);
  return codes.some((code) => [bic ?? '', account.bank].map(bankOf).includes(bankOf(code)));
}

/** The branch behind it may be left out (ISO 9362). */
const BIC_OF_BANK = 8;
