import type { Database } from '#database/database.ts';
import type { UnclearRefundBooking } from '#e-transfer/network-refunds.ts';
import { sumOf } from '#payment-requests/model/money/movements.ts';
import type { NewOperatorCase } from '#payment-requests/model/plan-change.ts';
import { type OpenCasesDeps, openOperatorCases } from '#payment-requests/status/operator-cases.ts';
import { findRefunds } from '#refunds/lookup/find-store.ts';
import type { Refund } from '#refunds/model/refund.ts';
import { lockPaymentsOfRefunds } from '#refunds/status/lock-store.ts';
import { executedUnasked } from './apply-refund-reports.ts';
import { expectsDebit } from './late-charges.ts';

export interface RefundBookingDeps extends OpenCasesDeps {
  readonly db: Database;
}

/** Opens a case for a booking of refunds with an amount that nothing explains, once. */
export async function reportRefundBooking(
  deps: RefundBookingDeps,
  booking: UnclearRefundBooking,
): Promise<void> {
  const written = await deps.db.transaction(async (tx) => {
    await lockPaymentsOfRefunds(tx, booking.refundIds);
    const refunds = await findRefunds(tx, booking.refundIds);
    return openOperatorCases(tx, deps, casesOf(booking, refunds));
  });
  written.publish();
}

/**
 * A refund that waits for its debit has the case of another amount. A refund that had its debit
 * already has the case of a second one, unless another message repeats the first.
 */
function casesOf(booking: UnclearRefundBooking, refunds: readonly Refund[]): NewOperatorCase[] {
  const { direction, isBooked, movement, currency } = booking;
  const expected = refunds.filter((each) => direction === 'CREDIT' || expectsDebit(each));
  const second = refunds.flatMap((each) => executedUnasked(each, movement));
  const isKnown = refunds.length === 1 || second.length === 0;
  if (expected.length === 0 && isKnown) return second;
  const named = expected.length > 0 ? expected : refunds;
  const [first, ...others] = named;
  if (!first) return [];
  const { networkReference, amountCents, bankReference, bookingDate } = movement;
  const details = {
    ...(others.length === 0 ? { refundId: first.id } : { refundIds: named.map(({ id }) => id) }),
    direction,
    isBooked,
    refundCents: sumOf(named),
    bookedCents: amountCents,
    currency,
    networkReference,
    ...(bankReference !== null && { bankReference }),
    ...(bookingDate !== null && { bookingDate }),
  };
  const paymentRequestId = others.length === 0 ? first.paymentRequestId : null;
  return [{ kind: 'REFUND_AMOUNT', paymentRequestId, merchantId: first.merchantId, details }];
}
