import type { CallOptions } from '../call-options.js';
import type { OneOf } from '../payment-request.js';
/** The guide of reconciliation explains each type; FEE: charges of a bank beside another entry. */
export type LedgerEntryType = 'PAYMENT' | 'LATE_PAYMENT' | 'PART_PAYMENT' | 'SECOND_PAYMENT' | 'UNMATCHED' | 'ASSIGNED' | 'RETURN' | 'REFUND' | 'REFUND_RETURN' | 'ADJUSTMENT' | 'FEE';
/** A movement of money; an entry never changes. */
export interface LedgerEntry {
    readonly id: string;
    readonly type: OneOf<LedgerEntryType>;
    /** Above zero: money came in. Below zero: it went out. */
    readonly amount: number;
    /** ISO 4217. */
    readonly currency: string;
    /** null: the money is assigned to no payment request. */
    readonly paymentRequestId: string | null;
    readonly refundId: string | null;
    readonly networkReference: string | null;
    /** The bank's own reference of the booking. */
    readonly bankReference: string | null;
    /** The day on which a bank booked it, as in `2026-03-01`; null: no bank did. */
    readonly bookingDate: string | null;
    /** When the service learned of the movement. */
    readonly createdDateTime: string;
}
/** The filters of the ledger. */
export interface LedgerFilters {
    /** This day and later, as in `2026-03-01`. */
    readonly from?: string | undefined;
    /** This day and earlier. */
    readonly to?: string | undefined;
    /** Only this type, or one of these. */
    readonly type?: OneOf<LedgerEntryType> | readonly OneOf<LedgerEntryType>[] | undefined;
    /** Only movements of this payment request. */
    readonly paymentRequestId?: string | undefined;
}
export interface LedgerOptions extends CallOptions {
    /** A `nextCursor` that you stored; absent: from the oldest entry. */
    readonly after?: string | undefined;
    /** Entries in each page that the client fetches: 1 to 100. */
    readonly pageSize?: number | undefined;
}
/** A page of the ledger. */
export interface LedgerPage {
    /** Oldest first. */
    readonly items: readonly LedgerEntry[];
    /** Store it after the work on `items`; give it as `after` to go on behind them. */
    readonly nextCursor: string;
}
/** The entries of your ledger, oldest first; it ends behind the latest entry. */
export interface Ledger extends AsyncIterable<LedgerEntry> {
    /** Iterates over whole pages, each with the cursor to store. */
    pages(): AsyncIterable<LedgerPage>;
}
/** A list of a report; `data` holds at most 1,000 of `count` items. */
export interface ReportItems<Item> {
    readonly count: number;
    readonly data: readonly Item[];
    readonly hasMore: boolean;
}
/** The sums and open questions of your ledger on one day. */
export interface ReconciliationReport {
    readonly date: string;
    readonly timeZone: string;
    readonly currency: string;
    /** The sum of all entries of earlier days. */
    readonly openingSum: number;
    /** The sum with the day's entries: the next day's `openingSum`. */
    readonly closingSum: number;
    readonly otherCurrencies: readonly {
        readonly currency: string;
        readonly openingSum: number;
        readonly closingSum: number;
    }[];
    readonly totals: readonly {
        readonly type: OneOf<LedgerEntryType>;
        readonly currency: string;
        readonly count: number;
        readonly amount: number;
    }[];
    /** Payment requests that became PAID on the day and have no money in the ledger. */
    readonly paidWithoutMoney: ReportItems<{
        readonly paymentRequestId: string;
        readonly amount: number;
        readonly currency: string;
        readonly networkReference: string | null;
        readonly completedDateTime: string;
    }>;
    /** The day's entries that name no payment request. */
    readonly moneyWithoutPaymentRequest: ReportItems<LedgerEntry>;
    /** With the option `since`: the entries after that cursor, of all days. */
    readonly since?: {
        readonly data: readonly LedgerEntry[];
        readonly hasMore: boolean;
    };
    /** Store it: the `since` of your next report. */
    readonly nextCursor: string;
}
export interface ReportOptions extends CallOptions {
    /** The day, as in `2026-03-01`; absent: yesterday in the service's time zone. */
    readonly date?: string | undefined;
    /** The `nextCursor` of an earlier report. */
    readonly since?: string | undefined;
}
