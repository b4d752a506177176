import { isQrIban } from '#lib/bank/iban.ts';
import { chargesIn } from './read-charges.ts';
import { isReturnCode, type PaymentDetail, readPayments, statedAmounts } from './read-payments.ts';
import { dayIn, readAmount, readDay, readDirection } from './read-values.ts';
import { readReference } from './reference.ts';
import type { Balance, StatementEntry } from './statement.ts';
import { elementAt, faultAt, requiredTextAt, textAt, type XmlElement } from './xml-element.ts';

/** @throws StatementFault when the balance cannot be read exactly */
export function readBalance(balance: XmlElement): Balance {
  const amount = elementAt(balance, 'Amt');
  if (!amount) throw faultAt(balance, 'has no Amt');
  const { amountCents, currency } = readAmount(amount);
  const sign = readDirection(balance) === 'CREDIT' ? 1 : -1;
  return {
    type: textAt(balance, 'Tp', 'CdOrPrtry', 'Cd') ?? textAt(balance, 'Tp', 'CdOrPrtry', 'Prtry'),
    amountCents: sign * amountCents,
    currency,
    date: readDay(balance, 'Dt').date,
  };
}

/**
 * @param details the entry's `TxDtls`
 * @throws StatementFault when the entry cannot be read exactly
 */
export function readEntry(entry: XmlElement, details: readonly PaymentDetail[]): StatementEntry {
  const amount = elementAt(entry, 'Amt');
  if (!amount) throw faultAt(entry, 'has no Amt');
  const { amountCents, currency } = readAmount(amount);
  const status = textAt(entry, 'Sts', 'Cd') ?? requiredTextAt(entry, 'Sts');
  const booking = readDay(entry, 'BookgDt');
  const direction = readDirection(entry);
  const bankReference = readReference(textAt(entry, 'AcctSvcrRef'));
  const isReturn = isReturnCode(entry);
  const charges = chargesIn(entry);
  const stated = statedAmounts(entry);
  const whole = { amountCents, currency, direction, bankReference, isReturn, charges, stated };
  const { payments, feeCents } = readPayments(whole, details);
  const batchReference = readBatchReference(entry);
  // Details without any amount may be listed by another message, and say nothing themselves.
  const isListed = details.some((detail) => detail.amount !== null);
  const isSum = batchReference !== null && details.length !== 1 && !isListed;
  return {
    direction,
    amountCents,
    currency,
    isBooked: status === 'BOOK',
    isReversal: readFlag(entry, 'RvslInd'),
    bookingDate: booking.date,
    bookedAt: booking.instant,
    valueDate: readDay(entry, 'ValDt').date,
    bankReference,
    batchReference,
    messageIds: messageIdsOf(entry, details),
    isBatchSum: isSum && countInBatch(entry) !== 1,
    payments,
    feeCents,
    line: entry.line,
  };
}

/**
 * The day that an element of a statement gives to it: the closing balance, else the end of the
 * period, else the creation. A file has them in the opposite order: the last one found counts.
 */
export function dayOfStatement(element: XmlElement): string | null {
  if (element.name === 'CreDtTm') return dayIn(element.text);
  if (element.name === 'FrToDt') return dayIn(textAt(element, 'ToDtTm') ?? '');
  if (element.name !== 'Bal' || textAt(element, 'Tp', 'CdOrPrtry', 'Cd') !== 'CLBD') return null;
  return dayIn(textAt(element, 'Dt', 'Dt') ?? textAt(element, 'Dt', 'DtTm') ?? '');
}

/** Swiss banks write the QR-IBAN there, and the statement's account is the ordinary IBAN. */
export function readQrIban(entry: XmlElement): string | null {
  const reference = textAt(entry, 'NtryRef')?.replaceAll(/\s/g, '').toUpperCase() ?? '';
  return isQrIban(reference) ? reference : null;
}

/** The first version has no NtryDtls around the batch. */
const batchOf = (entry: XmlElement): XmlElement | null =>
  elementAt(entry, 'NtryDtls', 'Btch') ?? elementAt(entry, 'Btch');

function readBatchReference(entry: XmlElement): string | null {
  const batch = batchOf(entry);
  return batch && readReference(textAt(batch, 'PmtInfId') ?? textAt(batch, 'MsgId'));
}

/** Where one payment file is one entry, the bank names the file or its batch. */
function messageIdsOf(entry: XmlElement, details: readonly PaymentDetail[]): readonly string[] {
  const batch = batchOf(entry);
  const named = batch ? [textAt(batch, 'PmtInfId'), textAt(batch, 'MsgId')] : [];
  const ids = [...named, ...(details.length === 1 ? (details[0]?.messageIds ?? []) : [])];
  return [...new Set(ids.filter((id) => id !== null))];
}

function countInBatch(entry: XmlElement): number | null {
  const batch = batchOf(entry);
  const count = batch && textAt(batch, 'NbOfTxs');
  return count === null ? null : Number(count);
}

/** `xs:boolean`: four spellings. */
function readFlag(element: XmlElement, name: string): boolean {
  const text = textAt(element, name) ?? 'false';
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw faultAt(element, `has a ${name} that is neither true nor false`);
}
