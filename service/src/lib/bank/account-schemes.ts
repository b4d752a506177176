/** The fields of an account as payers type them. */
export type BankPart = 'institution' | 'transit' | 'routing' | 'sortCode' | 'bsb' | 'bank';

/** A national way to name an account without an IBAN (bank-connection §4). */
export interface AccountScheme {
  /** The fields of the bank, each with its length; together they are the bank. */
  readonly parts: readonly (readonly [name: BankPart, length: number])[];
  readonly bank: RegExp;
  /** The forms of bank and number, for a sentence. */
  readonly bankForm: string;
  readonly number: RegExp;
  /** The weights of the check digit at the end of the bank; absent: it has none. */
  readonly weights?: readonly number[];
  /** ISO 20022's code of the clearing system; null: no payment file can name its banks. */
  readonly clearingSystem: string | null;
  /** The digits of a member id in front of the bank. */
  readonly memberPrefix?: string;
}

export type SchemeName = 'CA' | 'US' | 'GB' | 'AU' | 'OTHER';

/**
 * Sources: Payments Canada (rule F1), ABA routing numbers (check digit with the weights 3, 7, 1),
 * Pay.UK, AusPayNet (BECS). Numbers have the lengths that banks of the country issue.
 */
export const ACCOUNT_SCHEMES: Readonly<Record<SchemeName, AccountScheme>> = {
  CA: {
    parts: [
      ['institution', 3],
      ['transit', 5],
    ],
    bank: /^\d{8}$/,
    bankForm: 'institution (3 digits) and transit (5 digits), as in 003-12345',
    number: /^\d{5,12}$/,
    clearingSystem: 'CACPA',
    memberPrefix: '0',
  },
  US: {
    parts: [['routing', 9]],
    bank: /^\d{9}$/,
    bankForm: 'a routing number of 9 digits with its check digit, as in 021000021',
    number: /^\d{4,17}$/,
    weights: [3, 7, 1],
    clearingSystem: 'USABA',
  },
  GB: {
    parts: [['sortCode', 6]],
    bank: /^\d{6}$/,
    bankForm: 'a sort code of 6 digits, as in 60-16-13',
    number: /^\d{8}$/,
    clearingSystem: 'GBDSC',
  },
  AU: {
    parts: [['bsb', 6]],
    bank: /^\d{6}$/,
    bankForm: 'a BSB of 6 digits, as in 062-000',
    number: /^\d{5,9}$/,
    clearingSystem: 'AUBSB',
  },
  OTHER: {
    parts: [['bank', 35]],
    bank: /^[0-9A-Z]{1,35}$/,
    bankForm: '1 to 35 letters and digits',
    number: /^[0-9A-Z]{4,34}$/,
    clearingSystem: null,
  },
};
export const SCHEME_NAMES = Object.keys(ACCOUNT_SCHEMES) as readonly SchemeName[];
