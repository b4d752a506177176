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
  readonly kind: string | null;
  /** The sentence that says why the file is refused. */
  readonly reason: string | null;
  readonly sizeBytes: number;
  readonly receivedAt: Date;
  readonly completedAt: Date | null;
  readonly statements: number;
  readonly entries: number;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

export interface BookStatement {
  readonly id: string;
  /** Our account: an IBAN in electronic form. */
  readonly account: string;
  readonly day: string | null;
  readonly sequenceNumber: string | null;
  readonly currency: string | null;
  readonly openingCents: number | null;
  readonly closingCents: number | null;
  readonly entriesCents: number;
  readonly entryCount: number;
  /** Closing balance less opening balance and entries; null: there are no balances. */
  readonly differenceCents: number | null;
  readonly hasGap: boolean;
  readonly missing: number;
}

/** The results of matching an entry. */
export const ENTRY_VERDICTS = ['MATCHED', 'CASE', 'OTHER', 'ANNOUNCED', 'WAITING'] as const;
export type EntryVerdict = (typeof ENTRY_VERDICTS)[number];

export interface BookEntry {
  readonly id: string;
  readonly account: string;
  readonly verdict: EntryVerdict;
  readonly outcome: string | null;
  /** Signed. */
  readonly amountCents: number;
  readonly currency: string;
  readonly bookingDate: string | null;
  readonly bankReference: string | null;
  readonly paymentRequestId: string | null;
  readonly merchantId: string | null;
  readonly caseId: string | null;
}

export interface BookFileContents {
  readonly file: BookFile;
  readonly statements: readonly BookStatement[];
  readonly sums: readonly {
    readonly verdict: EntryVerdict;
    readonly currency: string;
    readonly count: number;
    readonly amountCents: number;
  }[];
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
  /** The text of the payer; null: nothing. */
  readonly text: string | null;
  /** Payment requests whose reference the text nearly holds: hints, never a match. */
  readonly suggestions: readonly string[];
}

/** Money as the bank's messages describe it. */
export interface DescribedMoney {
  readonly networkReference: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amountCents: number;
  readonly currency: string;
  readonly account: string;
  readonly creditorReferences: readonly string[];
  readonly bankReference: string | null;
  readonly bookingDate: string | null;
  readonly institution: string;
  readonly partyName: string | null;
  readonly partyAccount: string | null;
  readonly returnReason: string | null;
}

/** Reference and account that the page of a payment request shows. */
export interface ShownTransfer {
  readonly paymentRequestId: string;
  readonly reference: string;
  readonly iban: string;
}

export interface BookDay {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly startsAt: Date;
  /** Exclusive. */
  readonly endsAt: Date;
  /** null: all merchants, and money without one. */
  readonly merchantId: string | null;
}

export interface ClosedStatement {
  readonly id: string;
  readonly account: string;
  readonly sequenceNumber: string | null;
  readonly currency: string | null;
  readonly openingCents: number | null;
  readonly closingCents: number | null;
  readonly entriesCents: number;
  readonly oursCount: number;
  readonly oursCents: number;
  readonly othersCents: number;
  readonly otherCount: number;
  readonly differenceCents: number | null;
}

/** Money that concerns this service, on a statement of the day and in the ledger. */
export interface DayMoney {
  readonly account: string | null;
  readonly amountCents: number;
  readonly currency: string;
  readonly bankReference: string | null;
  readonly isOnStatement: boolean;
  /** The type of the ledger's entry; null: the ledger has none on this day. */
  readonly type: string | null;
  readonly outcome: string | null;
  readonly paymentRequestId: string | null;
  readonly refundId: string | null;
  readonly merchantId: string | null;
  /** The latest case about this money. */
  readonly caseId: string | null;
}

export interface ClosedDay {
  readonly verdict: 'CLOSES' | 'DIFFERS' | 'NO_STATEMENT' | 'NOTHING';
  readonly statements: readonly ClosedStatement[];
  readonly currencies: readonly {
    readonly currency: string;
    readonly statementCents: number;
    readonly ledgerCents: number;
    readonly differenceCents: number;
  }[];
  /** Differences first. */
  readonly money: readonly DayMoney[];
  readonly moneyCount: number;
  readonly differences: number;
}

/** The books of a network that reads the statements of a bank. */
export interface BankBooks {
  files(asked: {
    readonly state: FileState | null;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<BookPage<BookFile>>;
  /** null: there is no such file. */
  file(id: string): Promise<BookFileContents | null>;
  entries(asked: {
    readonly fileId: string;
    readonly verdict: EntryVerdict | null;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<BookPage<BookEntry>>;
  /** The entries of the last 30 days that matched nothing, latest booking day first. */
  others(asked: {
    readonly limit: number;
    /** Part of the text, of the bank's reference or of the amount. */
    readonly search?: string;
    readonly ids?: readonly string[];
  }): Promise<readonly OtherEntry[]>;
  closeDay(day: BookDay, mostMoney: number): Promise<ClosedDay>;
  describe(networkReferences: readonly string[]): Promise<readonly DescribedMoney[]>;
  shown(paymentRequestIds: readonly string[]): Promise<readonly ShownTransfer[]>;
}
