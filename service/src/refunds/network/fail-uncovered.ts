import type { Executor } from '#database/database.ts';
import type { NewOperatorCase } from '#payment-requests/model/plan-change.ts';
import type { Written } from '#payment-requests/status/change-status.ts';
import { type OpenCasesDeps, openOperatorCases } from '#payment-requests/status/operator-cases.ts';
import { findRefundsOfPayments } from '#refunds/lookup/find-store.ts';
import { findUncovered } from '#refunds/model/cover.ts';
import {
  type ChangeRefundDeps,
  changeRefundStatuses,
} from '#refunds/status/change-refund-status.ts';
import { lockPaymentsById } from '#refunds/status/lock-store.ts';

/**
 * Checks the refunds of payment requests whose money was taken back (contract §11), in the
 * transaction that has written the returned sums. CREATED refunds that are no longer covered fail;
 * for those that the network has already, an operator's case opens.
 *
 * @param returnedReferences the network references of the movements that went back
 */
export async function failUncoveredRefunds(
  tx: Executor,
  deps: ChangeRefundDeps & OpenCasesDeps,
  paymentRequestIds: readonly string[],
  returnedReferences: readonly string[],
): Promise<Written> {
  const returned = new Set(returnedReferences);
  // The caller's lock is repeated: its sums and the sequence of its events are read again.
  const payments = await lockPaymentsById(tx, paymentRequestIds);
  const refunds = await findRefundsOfPayments(tx, paymentRequestIds);
  const cases: NewOperatorCase[] = [];
  const failing = [...payments.values()].flatMap((payment) => {
    const own = refunds.filter(({ paymentRequestId }) => paymentRequestId === payment.id);
    const {
      uncoveredCents,
      returnedReferences: twice,
      toFail,
    } = findUncovered(payment, own, returned);
    if (uncoveredCents > 0) {
      const { id: paymentRequestId, merchantId, returnedCents } = payment;
      const named = twice.length > 0 && { returnedReferences: twice };
      const details = { uncoveredCents, returnedCents, ...named };
      cases.push({ kind: 'REFUNDED_AND_RETURNED', paymentRequestId, merchantId, details });
    }
    return toFail;
  });
  const caused = failing.map((refund) => ({
    refund,
    cause: { name: 'PAYMENT_RETURNED' as const },
  }));
  const written = await changeRefundStatuses(tx, deps, payments, caused);
  const opened = await openOperatorCases(tx, deps, cases);
  return {
    publish() {
      opened.publish();
      written.publish();
    },
  };
}
