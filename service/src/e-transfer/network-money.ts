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

/** Charges that a bank took for a movement, or added to it; never part of a request's sums. */
export interface BankFee {
  /** The movement's references and day, with the charges as its amount. */
  readonly movement: MoneyMovement;
  readonly merchantId: string;
  /** null: the movement belongs to none yet. */
  readonly paymentRequestId: string | null;
  readonly currency: string;
}

/** A part of money whose parts do not add up, for the person who decides about it. */
export interface StatedPart {
  /** Negative for money in the other direction; null: no amount is stated. */
  readonly amountCents: number | null;
  readonly currency: string;
  readonly references: readonly string[];
}

/** Money that fits no payment request, or not by itself: a case for an operator. */
export interface UnmatchedMoney {
  readonly kind: /** A reference of ours that fits nothing, or money for no payment request. */
    | 'UNMATCHED_MONEY'
    /** The reference of a payment request that shows another account. */
    | 'WRONG_ACCOUNT'
    /** Two references of ours in one entry, or details that do not add up. */
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
  /** The parts of money whose parts do not add up; else empty. */
  readonly details?: readonly StatedPart[];
  /** Network references of earlier bookings that this one may correct; absent: none. */
  readonly correctedReferences?: readonly string[];
}
