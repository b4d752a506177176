/** `camt.053` is the bank's statement of a day, `camt.052` one within it, `camt.054` a notice. */
export type StatementKind = 'camt.052' | 'camt.053' | 'camt.054';

export interface Statement {
  readonly id: string | null;
  /** The number that counts the statements of an account; null where the bank gives none. */
  readonly sequenceNumber: string | null;
  /** IBAN, or the bank's own account number. */
  readonly account: string;
  readonly currency: string | null;
  readonly balances: readonly Balance[];
  readonly entries: readonly StatementEntry[];
}

export interface Balance {
  /** ISO 20022's code, as in `OPBD` (opening, booked) and `CLBD` (closing, booked). */
  readonly type: string | null;
  /** Signed: below zero is owed to the bank. */
  readonly amountCents: number;
  readonly currency: string;
  /** YYYY-MM-DD. */
  readonly date: string | null;
}

/** A line of a statement: money that came to the account, or left it. */
export interface StatementEntry {
  /** `CdtDbtInd`, as it stands: a reversal (`isReversal`) does not turn it round. */
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amountCents: number;
  readonly currency: string;
  /** Only booked money is there; every other status of ISO 20022 is announced money. */
  readonly isBooked: boolean;
  readonly isReversal: boolean;
  /** YYYY-MM-DD. */
  readonly bookingDate: string | null;
  readonly valueDate: string | null;
  /** The instant of the booking, where the bank gives one with its zone. */
  readonly bookedAt: Date | null;
  /** `AcctSvcrRef`: one number of the bank for one entry, in every message. */
  readonly bankReference: string | null;
  /** The batch whose payments a camt.054 lists one by one. */
  readonly batchReference: string | null;
  /** The ids of messages and batches of ours that the bank names for the entry. */
  readonly messageIds: readonly string[];
  /** The entry is the sum of a batch, and says nothing exact of its payments. */
  readonly isBatchSum: boolean;
  /** The payments inside; one of the whole entry where the details do not add up. */
  readonly payments: readonly StatementPayment[];
  /** Charges that the bank states for several payments together. */
  readonly feeCents: number;
  /** The line in the file, from 1. */
  readonly line: number;
}

export interface StatementPayment {
  /** Before the charges that the bank took from it. */
  readonly amountCents: number;
  /** Charges that the bank states: money that came in is less by them, money that left is more. */
  readonly feeCents: number;
  /** Other amounts of a payment alone in its entry, in the entry's currency: TxAmt and InstdAmt. */
  readonly statedCents: readonly number[];
  /** Details that do not add up to the entry; empty where the amount is this payment's own. */
  readonly unclear: readonly UnclearDetail[];
  readonly bankReference: string | null;
  readonly endToEndIds: readonly string[];
  /** References that the debtor's bank passed on as such: RF or QR references. */
  readonly structuredReferences: readonly string[];
  readonly unstructuredTexts: readonly string[];
  /** The sender of the money; all null where the bank does not say. */
  readonly debtor: Party;
  readonly creditor: Party;
  /** Why money came back, as in `AC04`; null when it is an ordinary payment. */
  readonly returnReason: string | null;
  readonly isReturn: boolean;
}

/** A detail of an entry whose details do not add up, as the bank states it. */
export interface UnclearDetail
  extends Pick<
    StatementPayment,
    'endToEndIds' | 'structuredReferences' | 'unstructuredTexts' | 'debtor' | 'creditor'
  > {
  /** null: the bank states none. */
  readonly amountCents: number | null;
  readonly currency: string;
  /** `CRDT` or `DBIT`; null: that of the entry. */
  readonly direction: string | null;
}

export interface Party {
  readonly name: string | null;
  /** An IBAN, `SCHEME:bank:number`, or another number as the bank writes it. */
  readonly account: string | null;
  /** The BIC of the bank, else its name. */
  readonly agent: string | null;
}
