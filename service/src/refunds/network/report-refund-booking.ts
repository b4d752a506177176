import type { Database } from '#database/database.ts';
import type { UnclearRefundBooking } from '#e-transfer/network-refunds.ts';
import { type OpenCasesDeps, openOperatorCases } from '#payment-requests/status/operator-cases.ts';
import { findRefunds } from '#refunds/lookup/find-store.ts';

export interface RefundBookingDeps extends OpenCasesDeps {
  readonly db: Database;
}

/** Opens a case for a booking of refunds with an amount that nothing explains, once. */
export async function reportRefundBooking(
  deps: RefundBookingDeps,
  { refundIds, direction, movement, currency, refundCents, bookedAt }: UnclearRefundBooking,
): Promise<void> {
  const { networkReference, amountCents, bankReference, bookingDate } = movement;
  const written = await deps.db.transaction(async (tx) => {
    const [first, ...others] = await findRefunds(tx, refundIds);
    if (!first) return null;
    const details = {
      ...(others.length === 0 ? { refundId: first.id } : { refundIds }),
      direction,
      refundCents,
      bookedCents: amountCents,
      currency,
      networkReference,
      ...(bankReference !== null && { bankReference }),
      ...(bookingDate !== null && { bookingDate }),
      bookedAt: bookedAt.toISOString(),
    };
    const paymentRequestId = others.length === 0 ? first.paymentRequestId : null;
    const { merchantId } = first;
    return openOperatorCases(tx, deps, [
      { kind: 'REFUND_AMOUNT', paymentRequestId, merchantId, details },
    ]);
  });
  written?.publish();
}
