import { bookedCentsOf, type RefundEntry } from '../entries/model/refund-entry.ts';

export interface BookingVerdict {
  /** Whether the bank explains the difference, or there is none. */
  readonly isClear: boolean;
  /** Charges beside the refund; below zero: the bank gave more. */
  readonly feeCents: number;
}

/**
 * Compares a booking with the amount of its refunds (contract §11, Ledger). The booked amount may
 * be another one: a debit holds the bank's charges, too, and a credit is less by them. That is
 * clear where the bank states the refund's own amount, or charges that are the difference.
 */
export function weighBooking(
  entry: Pick<RefundEntry, 'direction' | 'amountCents' | 'feeCents' | 'statedCents'>,
  refundCents: number,
): BookingVerdict {
  const booked = bookedCentsOf(entry);
  const difference = entry.direction === 'DEBIT' ? booked - refundCents : refundCents - booked;
  const isStated = [entry.amountCents, ...entry.statedCents].includes(refundCents);
  return { isClear: difference === 0 || (difference > 0 && isStated), feeCents: difference };
}
