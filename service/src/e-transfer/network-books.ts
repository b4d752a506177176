import type { NetworkConnection } from './network-connection.ts';

/** A page of a list whose places are identifiers. */
export interface BookPage<Item> {
  readonly data: readonly Item[];
  /** The `after` of the next page; null on the last. */
  readonly next: string | null;
}

export const FILE_STATES = ['RECEIVED', 'STAGED', 'COMPLETE', 'REFUSED'] as const;
export type FileState = (typeof FILE_STATES)[number];

/** A file of a bank with its verdict. */
export interface BookFile {
  readonly id: string;
  readonly state: FileState;
  /** null: not read yet, or refused. */
  readonly kind: string | null;
  /** The sentence that says why the file is refused, or counts in part; null: all of it counts. */
  readonly reason: string | null;
  readonly sizeBytes: number;
  readonly receivedAt: Date;
  readonly completedAt: Date | null;
  /** The statements of our accounts inside, and their entries. */
  readonly statements: number;
  readonly entries: number;
  /** The first and the last day of its statements. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  /** The first of its accounts, and how many there are. */
  readonly account: string | null;
  readonly accounts: number;
  /** Credits less debits; null: no statement, or several currencies. */
  readonly amountCents: number | null;
  readonly currency: string | null;
}

export interface FilesQuery {
  /** null: files of all states. */
  readonly state: FileState | null;
  /** The id of the last file of the page before; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** The balances of a statement of one of our accounts. */
interface Balances {
  readonly id: string;
  /** Our account: an IBAN in electronic form. */
  readonly account: string;
  readonly sequenceNumber: string | null;
  readonly currency: string | null;
  readonly openingCents: number | null;
  readonly closingCents: number | null;
  /** The sum of the booked entries, signed. */
  readonly entriesCents: number;
  /** Closing balance less opening balance and entries; null: there are no balances. */
  readonly differenceCents: number | null;
}

/** A statement of one of our accounts. */
export interface BookStatement extends Balances {
  readonly day: string | null;
  readonly entryCount: number;
  /** An earlier number of the account is there, and the number before this one is not. */
  readonly hasGap: boolean;
  /** Movements that only other messages have told of. */
  readonly missing: number;
}

/**
 * The results of matching an entry. MATCHED: money of a payment request or a refund. CASE: an
 * operator decides, or has decided.
 */
export const ENTRY_VERDICTS = ['MATCHED', 'CASE', 'OTHER', 'ANNOUNCED', 'WAITING'] as const;
export type EntryVerdict = (typeof ENTRY_VERDICTS)[number];

/** Money that a bank has booked, and its match. */
interface BookedMoney {
  /** The network's word for the match; null: none of ours, a refund, or on no statement. */
  readonly outcome: string | null;
  /** Signed. */
  readonly amountCents: number;
  readonly currency: string;
  readonly bankReference: string | null;
  readonly paymentRequestId: string | null;
  /** The merchant of the payment request. */
  readonly merchantId: string | null;
  /** The latest case about this money. */
  readonly caseId: string | null;
}

/** A payment of an entry, without any text and without its other side. */
export interface BookEntry extends BookedMoney {
  readonly id: string;
  readonly account: string;
  readonly verdict: EntryVerdict;
  readonly bookingDate: string | null;
}

export interface EntriesQuery {
  readonly fileId: string;
  /** null: all. */
  readonly verdict: EntryVerdict | null;
  /** The id of the last entry of the page before; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** The payments of a file with one verdict. */
export interface EntrySum {
  readonly verdict: EntryVerdict;
  readonly currency: string;
  readonly count: number;
  /** Signed. */
  readonly amountCents: number;
}

export interface BookFileContents {
  readonly file: BookFile;
  readonly statements: readonly BookStatement[];
  readonly sums: readonly EntrySum[];
}

/** An entry that is no money of this service. */
export interface OtherEntry {
  readonly id: string;
  readonly account: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amountCents: number;
  readonly currency: string;
  readonly bookingDate: string | null;
  readonly bankReference: string | null;
  /** A batch whose payments no message has listed. */
  readonly isBatchSum: boolean;
  /** The text of the payer; null: nothing, or no payment that came in. */
  readonly text: string | null;
  /** Payment requests whose reference the text nearly holds: hints, never a match. */
  readonly suggestions: readonly string[];
}

/** Money as the bank's messages describe it, for a person who decides about it. */
export interface DescribedMoney {
  readonly networkReference: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amountCents: number;
  readonly currency: string;
  /** Our account: an IBAN in electronic form. */
  readonly account: string;
  /** References of the shape that this network issues, as the payer wrote them. */
  readonly creditorReferences: readonly string[];
  readonly bankReference: string | null;
  readonly bookingDate: string | null;
  /** The bank of the other side. */
  readonly institution: string;
  /** The other side; null where the bank did not say, or after an erasure. */
  readonly partyName: string | null;
  readonly partyAccount: string | null;
  /** The reason code of a bank that takes money back. */
  readonly returnReason: string | null;
}

/** Reference and account that the page of a payment request shows. */
export interface ShownTransfer {
  readonly paymentRequestId: string;
  /** Electronic form. */
  readonly reference: string;
  /** The account's name in movements. */
  readonly account: string;
}

/** A booking day; the instants are those of the day in the deployment's time zone. */
export interface BookDay {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly startsAt: Date;
  /** Exclusive. */
  readonly endsAt: Date;
  /** The accounts and the ledger of one merchant; null: of all, and money without a merchant. */
  readonly merchantId: string | null;
}

/** A statement of the day: the day's entries of this service, and all others as one line. */
export interface ClosedStatement extends Balances {
  readonly oursCount: number;
  readonly oursCents: number;
  readonly othersCents: number;
  /** Payments of the statement that are none of this service; they are kept for 30 days. */
  readonly otherCount: number;
}

/** Money that concerns this service, on a statement of the day and in the ledger. */
export interface DayMoney extends BookedMoney {
  readonly account: string | null;
  readonly isOnStatement: boolean;
  /** The type of the ledger's entry; null: the ledger has none on this day. */
  readonly type: string | null;
  readonly refundId: string | null;
}

/** The money of this service in one currency: on the statements, and in the ledger. */
export interface ClosedCurrency {
  readonly currency: string;
  readonly statementCents: number;
  readonly ledgerCents: number;
  /** Statements less ledger. */
  readonly differenceCents: number;
}

export interface ClosedDay {
  /**
   * NOTHING: neither a statement nor an entry of the ledger. CLOSES: the balances fit, and
   * statements and ledger have the same money.
   */
  readonly verdict: 'CLOSES' | 'DIFFERS' | 'NO_STATEMENT' | 'NOTHING';
  readonly statements: readonly ClosedStatement[];
  readonly currencies: readonly ClosedCurrency[];
  /** Differences first; at most as many as asked for. */
  readonly money: readonly DayMoney[];
  readonly moneyCount: number;
  /** Money that only a statement has, or only the ledger. */
  readonly differences: number;
}

/** The files and bookings of a bank, for the console's pages and its search. */
export interface NetworkBooks {
  files(asked: FilesQuery): Promise<BookPage<BookFile>>;
  /** null: there is no such file. */
  file(id: string): Promise<BookFileContents | null>;
  entries(asked: EntriesQuery): Promise<BookPage<BookEntry>>;
  /** The entries of the last 30 days that matched nothing, latest booking day first. */
  others(asked: {
    readonly limit: number;
    /** Part of the text, of the bank's reference or of the amount. */
    readonly search?: string;
    readonly ids?: readonly string[];
  }): Promise<readonly OtherEntry[]>;
  closeDay(day: BookDay, mostMoney: number): Promise<ClosedDay>;
  /** The money under these network references, oldest first; unknown ones are left out. */
  describe(networkReferences: readonly string[]): Promise<readonly DescribedMoney[]>;
  /** Reference and account that payers of these payment requests see. */
  shown(paymentRequestIds: readonly string[]): Promise<readonly ShownTransfer[]>;
  /** The way to the bank and back. */
  readonly connection: NetworkConnection;
  /** The payment requests, of all merchants, that a reference of a bank names. */
  findByReference(text: string): Promise<readonly string[]>;
}
