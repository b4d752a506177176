/** Money that moved once. */
export interface MoneyMovement {
  /** Unique in the network for ever. */
  readonly networkReference: string;
  /** Positive in both directions. */
  readonly amountCents: number;
  /** The bank's own reference of the booking. */
  readonly bankReference: string | null;
  /** The day on which a bank booked it, as in `2026-03-01`; null where no bank did. */
  readonly bookingDate: string | null;
}

/** Money that fits no payment request, or not by itself: a case for an operator. */
export interface UnmatchedMoney {
  readonly kind: /** A reference of ours that fits nothing, or money for no payment request. */
    | 'UNMATCHED_MONEY'
    /** The reference of a payment request that shows another account. */
    | 'WRONG_ACCOUNT'
    /** Two references of ours in one entry. */
    | 'AMBIGUOUS_REFERENCE'
    /** Above the amount that is matched without a person. */
    | 'AMOUNT_ABOVE_LIMIT'
    /** The merchant's bank gave money back without this service. */
    | 'REFUNDED_OUTSIDE'
    /** An earlier message told of the money, and no statement of its day lists it. */
    | 'NOT_ON_STATEMENT';
  /** The owner of the account; null: unknown. */
  readonly merchantId: string | null;
  /** The payment request that the money names; null: none. */
  readonly paymentRequestId: string | null;
  readonly currency: string;
  readonly movement: MoneyMovement;
  readonly institution: string;
  /** Payment requests that may be meant: hints, never a match. */
  readonly candidates: readonly string[];
  /** Network references of earlier bookings that this one may correct; absent: none. */
  readonly correctedReferences?: readonly string[];
}
