import { clearingOf, domesticOf, hasScheme, parseAccount } from '#lib/bank/account-number.ts';

/** A payer's account, to which money goes back. */
export interface RefundCreditor {
  readonly name: string | null;
  /** An IBAN in electronic form, `SCHEME:bank:number`, or a number as the bank writes it. */
  readonly account: string;
}

/** The id without dashes: at most 35 characters fit. */
export const endToEndIdOf = (refundId: string): string => refundId.replaceAll('-', '');

const END_TO_END_ID = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** The id of the refund, if the text is one without dashes; banks may change the case. */
export function refundIdOf(endToEndId: string): string | null {
  const match = END_TO_END_ID.exec(endToEndId.trim().toLowerCase());
  return match ? match.slice(1).join('-') : null;
}

/** How the bank is asked for the transfers of a file. */
export type FileFormat = 'PAIN_001' | 'LIST';

/**
 * SEPA takes IBANs, other clearing systems take their own codes. A person works through a list of
 * the other transfers (bank-connection §4).
 */
export function formatOf(currency: string, debtor: string, creditor: string): FileFormat {
  if (currency === 'EUR') return [debtor, creditor].some(hasScheme) ? 'LIST' : 'PAIN_001';
  return [debtor, creditor].every(isCleared) ? 'PAIN_001' : 'LIST';
}

const isCleared = (account: string) => clearingOf(domesticOf(parseAccount(account))) !== null;
