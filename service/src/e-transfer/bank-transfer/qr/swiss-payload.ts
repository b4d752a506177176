import { getReferenceType, isIBANValid, isQRReferenceValid } from 'swissqrbill/utils';
import { isQrIban } from '#lib/bank/iban.ts';
import { formatAmount } from '#lib/money.ts';
import { fieldOf, type Transfer } from './transfer.ts';

const LONGEST_NAME = 70;
const LONGEST_STREET = 70;
const LONGEST_POSTAL_CODE = 16;
const LONGEST_TOWN = 35;
/** The payer is left out: the standard gives seven empty lines to them. */
const NO_ULTIMATE_CREDITOR = Array<string>(7).fill('');
const NO_DEBTOR = Array<string>(7).fill('');

/**
 * The text of a Swiss QR code (Implementation Guidelines QR-bill 2.3, type of address S), which
 * only accounts of Switzerland and Liechtenstein have.
 *
 * @returns null when the account is of another country, or the holder's address is unknown: banks
 * refuse a QR-bill without it
 */
export function swissPayload(
  { holder, iban, amountCents, reference, address }: Transfer,
  currency: 'CHF' | 'EUR',
): string | null {
  const isSwiss = /^(CH|LI)/.test(iban) && isIBANValid(iban);
  if (!isSwiss || address === null) return null;
  const referenceType = getReferenceType(reference);
  const isReferenceOfAccount = isQrIban(iban)
    ? isQRReferenceValid(reference)
    : referenceType === 'SCOR';
  if (!isReferenceOfAccount) return null;
  return [
    ...['SPC', '0200', '1', iban],
    ...['S', fieldOf(holder, LONGEST_NAME), fieldOf(address.street ?? '', LONGEST_STREET), ''],
    ...[fieldOf(address.postalCode, LONGEST_POSTAL_CODE), fieldOf(address.town, LONGEST_TOWN)],
    address.country,
    ...NO_ULTIMATE_CREDITOR,
    ...[formatAmount(amountCents), currency],
    ...NO_DEBTOR,
    ...[referenceType, reference, '', 'EPD'],
  ].join('\n');
}
