import type { Executor } from '#database/database.ts';
import type { MoneyMovement } from '#e-transfer/network-money.ts';
import { insertLedgerEntries } from '#ledger/record-store.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { sumOf } from '#payment-requests/model/money/movements.ts';
import { findRefunds } from '#refunds/lookup/find-store.ts';
import type { Refund, RefundCause } from '#refunds/model/refund.ts';
import { expectsDebit, lateCharges } from '#refunds/network/late-charges.ts';
import {
  type ChangeRefundDeps,
  changeRefundStatuses,
  type WrittenRefunds,
} from '#refunds/status/change-refund-status.ts';
import { lockPaymentsOfRefunds } from '#refunds/status/lock-store.ts';

export interface AcceptedBooking {
  /** DEBIT: the bank executed the refunds. CREDIT: their money came back. */
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly refundIds: readonly string[];
  /** The amount on the statement, for all of them. */
  readonly bookedCents: number;
  readonly movement: Omit<MoneyMovement, 'amountCents'>;
  readonly completedAt: Date;
}

/**
 * Completes refunds by a debit of another amount, or fails them by a credit of another amount: an
 * operator has found the difference to be the bank's charges or correction. Money that has come
 * back before its debit stays so, and the difference is booked alone.
 *
 * @throws OperatorFault when another booking has completed or failed a refund
 */
export async function applyBooking(
  tx: Executor,
  deps: ChangeRefundDeps,
  { refundIds, direction, bookedCents, movement, completedAt }: AcceptedBooking,
): Promise<WrittenRefunds> {
  const payments = await lockPaymentsOfRefunds(tx, refundIds);
  const refunds = await findRefunds(tx, refundIds);
  const over = refunds.find((each) => !takes(direction, each));
  if (over || refunds.length === 0) {
    const status = over?.status ?? 'not known';
    throw new Refusal('refund.over', { id: over?.id ?? '', status });
  }
  const sum = sumOf(refunds);
  const difference = direction === 'DEBIT' ? bookedCents - sum : sum - bookedCents;
  const caused = refunds.map((refund, index) => {
    const facts = { movement, feeCents: index === 0 ? difference : 0 };
    const cause: RefundCause =
      direction === 'DEBIT'
        ? { name: 'EXECUTED', completedAt, ...facts }
        : { name: 'MONEY_CAME_BACK', ...facts };
    return { refund, cause };
  });
  const { currency } = deps.settings;
  const createdAt = deps.clock.now();
  const late = direction === 'DEBIT' ? refunds.slice(0, 1) : [];
  await insertLedgerEntries(
    tx,
    late
      .flatMap((refund) => lateCharges(refund, movement, difference))
      .map((each) => ({ ...each, currency, createdAt })),
  );
  return changeRefundStatuses(tx, deps, payments, caused);
}

/** Whether no other booking of the direction has settled the refund. */
function takes(direction: AcceptedBooking['direction'], refund: Refund): boolean {
  if (direction === 'DEBIT') return expectsDebit(refund);
  return refund.status === 'PROCESSING' || refund.status === 'COMPLETED';
}
