/** The sums of a payment request's money in cents, equal to its ledger entries (contract §11). */
export interface Sums {
  /** All money that has arrived for the payment request, also what went back later. */
  readonly receivedCents: number;
  /** Taken back by the network or a bank. */
  readonly returnedCents: number;
  /** Refunds that are COMPLETED. */
  readonly refundedCents: number;
  /** Refunds that are CREATED or PROCESSING. */
  readonly refundingCents: number;
}

export const NO_SUMS: Sums = {
  receivedCents: 0,
  returnedCents: 0,
  refundedCents: 0,
  refundingCents: 0,
};

/** The columns of the sums, with their types. */
export const SUMS_COLUMNS = {
  received_cents: 'bigint',
  returned_cents: 'bigint',
  refunded_cents: 'bigint',
  refunding_cents: 'bigint',
} as const;

export const REFUND_SUMMARY_STATUSES = ['NONE', 'PENDING', 'PARTIAL', 'FULL'] as const;
export type RefundSummaryStatus = (typeof REFUND_SUMMARY_STATUSES)[number];

interface Money {
  /** null: not PAID. */
  readonly payment: object | null;
  readonly sums: Sums;
}

/**
 * The money that counts towards the amount asked for: what was taken back does not. Before PAID
 * neither do parts that an operator gives back; after PAID a refund leaves the payment as it was.
 * Before PAID the sum is below 0 when a part went back twice, by a bank and by a refund: later
 * money does not make up for that unseen. A return may be reported before its arrival.
 */
export function heldCents(money: Money): number {
  const { receivedCents, returnedCents, refundedCents, refundingCents } = money.sums;
  const leftCents = Math.max(0, receivedCents - returnedCents);
  return money.payment === null ? leftCents - refundedCents - refundingCents : leftCents;
}

/** The money that a new refund can give back (contract §11). */
export function availableCents(money: Money): number {
  const { receivedCents, returnedCents, refundedCents, refundingCents } = money.sums;
  return Math.max(0, receivedCents - returnedCents - refundedCents - refundingCents);
}

/** PENDING while a refund is open, else by sum (contract §11). */
export function refundSummaryStatus(money: Money): RefundSummaryStatus {
  const { refundedCents, refundingCents } = money.sums;
  if (refundingCents > 0) return 'PENDING';
  if (refundedCents === 0) return 'NONE';
  return refundedCents < heldCents(money) ? 'PARTIAL' : 'FULL';
}
