import type { CommitPlace } from '#database/commit-order/commit-cursor.ts';
import type { CsvCell } from '#lib/csv.ts';
import { formatInstant } from '#lib/instant.ts';
import { amountNumber, formatAmount } from '#lib/money.ts';
import type { EntryType, NewLedgerEntry } from './entry.ts';

/** An entry as the ledger has it, with its place in the order of commits. */
export interface StoredEntry extends NewLedgerEntry, CommitPlace {
  readonly id: string;
  readonly type: EntryType;
}

/** The members of an entry (contract §11, Ledger). */
export function entryMembers(entry: StoredEntry) {
  return {
    id: entry.id,
    type: entry.type,
    amount: amountNumber(entry.amountCents),
    currency: entry.currency,
    paymentRequestId: entry.paymentRequestId,
    refundId: entry.refundId,
    networkReference: entry.networkReference,
    bankReference: entry.bankReference,
    bookingDate: entry.bookingDate,
    createdDateTime: formatInstant(entry.createdAt),
  };
}

/** The columns of a CSV list of entries. */
export const ENTRY_COLUMNS = {
  id: ({ id }) => id,
  type: ({ type }) => type,
  amount: ({ amountCents }) => ({ decimal: formatAmount(amountCents) }),
  currency: ({ currency }) => currency,
  paymentRequestId: ({ paymentRequestId }) => paymentRequestId,
  refundId: ({ refundId }) => refundId,
  networkReference: ({ networkReference }) => networkReference,
  bankReference: ({ bankReference }) => bankReference,
  bookingDate: ({ bookingDate }) => bookingDate,
  createdDateTime: ({ createdAt }) => formatInstant(createdAt),
} as const satisfies Readonly<Record<string, (entry: StoredEntry) => CsvCell>>;
