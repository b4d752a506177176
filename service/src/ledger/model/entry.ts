/** The types of ledger entries (contract §11), with the direction of the money. */
export const ENTRY_TYPES = {
  /** The money that made a payment request PAID, or its last part. */
  PAYMENT: 'IN',
  /** The money of a PAYMENT, after the payment request was over. */
  LATE_PAYMENT: 'IN',
  /** Less than the amount asked for. */
  PART_PAYMENT: 'IN',
  /** Money for a payment request that was PAID already. */
  SECOND_PAYMENT: 'IN',
  /** Money that waits for an operator: another amount, no payment request, a wrong account. */
  UNMATCHED: 'IN',
  /** UNMATCHED money of which an operator has decided: two entries whose sum is zero. */
  ASSIGNED: 'BOTH',
  RETURN: 'OUT',
  REFUND: 'OUT',
  REFUND_RETURN: 'IN',
  ADJUSTMENT: 'BOTH',
  /** Charges of a bank beside a movement; part of no payment request's sums. */
  FEE: 'OUT',
} as const satisfies Readonly<Record<string, 'IN' | 'OUT' | 'BOTH'>>;
export type EntryType = keyof typeof ENTRY_TYPES;

/** The types that the overview adds up as money in, and as money back. */
export const TYPES_OF_FLOW: Readonly<Record<'in' | 'back', readonly EntryType[]>> = {
  in: (Object.keys(ENTRY_TYPES) as EntryType[]).filter((type) => !isBack(type)),
  back: (Object.keys(ENTRY_TYPES) as EntryType[]).filter(isBack),
};

function isBack(type: EntryType): boolean {
  return type === 'RETURN' || type === 'REFUND' || type === 'REFUND_RETURN';
}

/** A movement of money, not written yet. */
export interface NewLedgerEntry {
  /** null: no merchant can be named. */
  readonly merchantId: string | null;
  readonly type: EntryType;
  /** Signed: positive for money that came in. */
  readonly amountCents: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly paymentRequestId: string | null;
  readonly refundId: string | null;
  readonly networkReference: string | null;
  readonly bankReference: string | null;
  /** A date such as `2026-03-01`; null where no bank has booked it. */
  readonly bookingDate: string | null;
  readonly createdAt: Date;
}
