import type { CommitPlace } from '#database/commit-order/commit-cursor.ts';
import { csvLine } from '#lib/csv.ts';
import { formatInstant } from '#lib/instant.ts';
import { formatAmount } from '#lib/money.ts';
import type { EntryType, NewLedgerEntry } from './entry.ts';

/** An entry as the ledger has it, with its place in the order of commits. */
export interface StoredEntry extends NewLedgerEntry, CommitPlace {
  readonly id: string;
  readonly type: EntryType;
}

/** TypeScript does not know JSON.rawJSON yet; it writes a number's text exactly as given. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** Cents as a JSON number with two decimals. */
export function amountMember(amountCents: number): unknown {
  return rawJSON(formatAmount(amountCents));
}

/** The members of an entry (contract §11, Ledger). */
export function entryMembers(entry: StoredEntry) {
  return {
    id: entry.id,
    type: entry.type,
    amount: amountMember(entry.amountCents),
    currency: entry.currency,
    paymentRequestId: entry.paymentRequestId,
    refundId: entry.refundId,
    networkReference: entry.networkReference,
    bankReference: entry.bankReference,
    bookingDate: entry.bookingDate,
    createdDateTime: formatInstant(entry.createdAt),
  };
}

/** The first line of a CSV list of entries. */
export const ENTRY_HEADER = csvLine([
  'id',
  'type',
  'amount',
  'currency',
  'paymentRequestId',
  'refundId',
  'networkReference',
  'bankReference',
  'bookingDate',
  'createdDateTime',
  'cursor',
]);

/** The CSV line of an entry; its cursor is the `after` of a call that goes on behind it. */
export function entryLine(entry: StoredEntry, cursor: string): string {
  return csvLine([
    entry.id,
    entry.type,
    { decimal: formatAmount(entry.amountCents) },
    entry.currency,
    entry.paymentRequestId,
    entry.refundId,
    entry.networkReference,
    entry.bankReference,
    entry.bookingDate,
    formatInstant(entry.createdAt),
    cursor,
  ]);
}
