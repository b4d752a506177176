import type { Executor } from '#database/database.ts';
import type { MoneyMovement } from '#e-transfer/network-money.ts';
import { insertLedgerEntries } from '#ledger/record-store.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { findRefunds } from '#refunds/lookup/find-store.ts';
import { lacksExecution, lateCharges } from '#refunds/network/late-charges.ts';
import {
  type ChangeRefundDeps,
  changeRefundStatuses,
  type WrittenRefunds,
} from '#refunds/status/change-refund-status.ts';
import { lockPaymentsOfRefunds } from '#refunds/status/lock-store.ts';

export interface AcceptedBooking {
  readonly refundIds: readonly string[];
  /** The amount on the statement, for all of them. */
  readonly bookedCents: number;
  readonly movement: Omit<MoneyMovement, 'amountCents'>;
  readonly completedAt: Date;
}

/**
 * Completes refunds by a debit of another amount: an operator has found the difference to be the
 * bank's charges, or a correction where the debit is less. Money that has come back meanwhile stays
 * so, and the difference is booked alone.
 *
 * @throws OperatorFault when another debit has completed a refund
 */
export async function completeByBooking(
  tx: Executor,
  deps: ChangeRefundDeps,
  { refundIds, bookedCents, movement, completedAt }: AcceptedBooking,
): Promise<WrittenRefunds> {
  const payments = await lockPaymentsOfRefunds(tx, refundIds);
  const refunds = await findRefunds(tx, refundIds);
  const over = refunds.find((each) => each.status !== 'PROCESSING' && !lacksExecution(each));
  if (over || refunds.length === 0) {
    const status = over?.status ?? 'not known';
    throw new OperatorFault(`The refund ${over?.id ?? ''} is ${status}: close the case.`);
  }
  const sum = refunds.reduce((total, { amountCents }) => total + amountCents, 0);
  const caused = refunds.map((refund, index) => {
    const feeCents = index === 0 ? bookedCents - sum : 0;
    return { refund, cause: { name: 'EXECUTED', movement, completedAt, feeCents } as const };
  });
  const { currency } = deps.settings;
  const createdAt = deps.clock.now();
  const late = caused.flatMap(({ refund, cause }) => lateCharges(refund, movement, cause.feeCents));
  await insertLedgerEntries(
    tx,
    late.map((each) => ({ ...each, currency, createdAt })),
  );
  return changeRefundStatuses(tx, deps, payments, caused);
}
