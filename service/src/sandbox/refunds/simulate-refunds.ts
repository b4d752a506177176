import { findRefund } from '#refunds/lookup/find-store.ts';
import type { Refund } from '#refunds/model/refund.ts';
import type { RefundReportDeps } from '#refunds/network/apply-refund-reports.ts';
import { claimDueRefunds, planNextPoll } from '#refunds/network/poll-store.ts';
import { HELD_SECONDS } from '#refunds/network/schedule.ts';
import { changeRefundStatuses } from '#refunds/status/change-refund-status.ts';
import { lockPaymentsById } from '#refunds/status/lock-store.ts';
import { nextStep } from './plan-refund.ts';

/** A run's share: far fewer steps than the lease allows. */
const BATCH = 64;
/** A step takes milliseconds; after this its process is gone, and the step is due again. */
const LEASE_SECONDS = 5;

/**
 * Does the steps of sandbox refunds that are due (contract §11).
 *
 * @returns whether more may be due.
 * @throws  the first failure, after all other steps of the batch.
 */
export async function simulateRefunds(
  deps: RefundReportDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const due = await claimDueRefunds(deps.db, BATCH, LEASE_SECONDS);
  const failures: unknown[] = [];
  for (const { refund, isHeld } of due) {
    if (signal.aborted) return false;
    const done =
      isHeld && refund.status === 'CREATED'
        ? planNextPoll(deps.db, refund, HELD_SECONDS)
        : runStep(deps, refund);
    await done.catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return due.length === BATCH;
}

async function runStep(deps: RefundReportDeps, { id, paymentRequestId }: Refund): Promise<void> {
  const written = await deps.db.transaction(async (tx) => {
    const payments = await lockPaymentsById(tx, [paymentRequestId]);
    const refund = await findRefund(tx, id);
    if (!refund) return null;
    const step = nextStep(refund, deps.clock.now());
    if (!step) {
      await planNextPoll(tx, refund, null);
      return null;
    }
    const { cause, nextSeconds } = step;
    const changed = await changeRefundStatuses(tx, deps, payments, [{ refund, cause }]);
    await planNextPoll(tx, changed.refunds[0] ?? refund, nextSeconds, true);
    return changed;
  });
  written?.publish();
}
