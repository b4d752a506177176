/** The outcomes of a movement (bank-transfer §4), in the order of the table. */
export type MovementOutcome =
  /** Not confirmed yet, and too uncertain to be reported. */
  | 'WAITING'
  /** With it the sum is the amount asked for. */
  | 'EXACT'
  | 'PART'
  /** With it the sum is above the amount asked for. */
  | 'EXCESS'
  /** The payment request had its whole sum already. */
  | 'SECOND'
  | 'OTHER_CURRENCY'
  | 'UNMATCHED_MONEY'
  | 'WRONG_ACCOUNT'
  | 'AMBIGUOUS_REFERENCE'
  | 'AMOUNT_ABOVE_LIMIT'
  | 'RETURNED'
  | 'REFUNDED_OUTSIDE';

/** The facts by which the same money is recognised in several messages (bank-transfer §3). */
export interface MoneyIdentity {
  /** Our account: an IBAN in electronic form. */
  readonly account: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amountCents: number;
  /** ISO 4217. */
  readonly currency: string;
  /** YYYY-MM-DD; null where the bank gives none. */
  readonly bookingDate: string | null;
  /** References of the shape that this network issues, each once. */
  readonly creditorReferences: readonly string[];
  /** In hexadecimal form; null: no EndToEndId was given. */
  readonly endToEndHash: string | null;
  /** The bank's reference of this payment alone. */
  readonly bankReference: string | null;
  /** The bank's reference of an entry with several payments. */
  readonly entryReference: string | null;
  readonly batchReference: string | null;
}

/** A detail of an entry whose details do not add up, for the person who decides about it. */
export interface EntryDetail {
  /** Negative for money in the other direction; null: the bank states no amount. */
  readonly amountCents: number | null;
  /** ISO 4217. */
  readonly currency: string;
  /** References of the shape that this network issues, each once. */
  readonly references: readonly string[];
}

/** Money that moved once, however many messages carry it. */
export interface Movement extends MoneyIdentity {
  readonly id: string;
  /** Charges that the bank took from it or added to it; the amount is before them. */
  readonly feeCents: number;
  /** The details of an entry that do not add up: a person decides. Else empty. */
  readonly details: readonly EntryDetail[];
  readonly bookedAt: Date;
  readonly networkReference: string;
  readonly institution: string;
  readonly isConfirmed: boolean;
  /** A camt.053 has listed it. */
  readonly isInStatement: boolean;
  readonly isReturn: boolean;
  readonly returnReason: string | null;
  readonly outcome: MovementOutcome;
  readonly paymentRequestId: string | null;
  readonly candidates: readonly string[];
  /** The sum with this movement, for EXACT and EXCESS. */
  readonly sumCents: number | null;
  /** The movements of that sum, this one included; empty for other outcomes. */
  readonly summed: readonly string[];
  /** RETURNED: the movement that is undone. */
  readonly returnedId: string | null;
}

/** Money that came in for a payment request, with the account that it came from. */
export interface IncomingMovement {
  readonly id: string;
  readonly paymentRequestId: string | null;
  readonly networkReference: string;
  readonly bankReference: string | null;
  readonly amountCents: number;
  /** The sum that was taken back. */
  readonly returnedCents: number;
  readonly currency: string;
  readonly bookingDate: string | null;
  /** Our account that received it: an IBAN in electronic form. */
  readonly account: string;
  readonly outcome: MovementOutcome;
  /** The other side; null where the bank did not say, or after an erasure. */
  readonly debtorName: string | null;
  /** A valid IBAN, `SCHEME:bank:number`, or another number; null where the bank gave none. */
  readonly debtorAccount: string | null;
}
