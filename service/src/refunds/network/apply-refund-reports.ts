import type { Database, Executor } from '#database/database.ts';
import type { NetworkListener } from '#e-transfer/e-transfer-network.ts';
import type { MoneyMovement } from '#e-transfer/network-money.ts';
import type { RefundOutcome, RefundReport } from '#e-transfer/network-refunds.ts';
import { insertLedgerEntries } from '#ledger/record-store.ts';
import { runOutsideCalls } from '#lib/call-context.ts';
import type { NewOperatorCase } from '#payment-requests/model/plan-change.ts';
import type { Written } from '#payment-requests/status/change-status.ts';
import { type OpenCasesDeps, openOperatorCases } from '#payment-requests/status/operator-cases.ts';
import { findRefunds } from '#refunds/lookup/find-store.ts';
import type { Refund, RefundCause } from '#refunds/model/refund.ts';
import {
  type CausedChange,
  type ChangeRefundDeps,
  changeRefundStatuses,
} from '#refunds/status/change-refund-status.ts';
import { lockPaymentsOfRefunds } from '#refunds/status/lock-store.ts';
import type { Log } from '#telemetry/log/log.ts';
import { lateCharges } from './late-charges.ts';

export interface RefundReportDeps extends ChangeRefundDeps, OpenCasesDeps {
  readonly db: Database;
  readonly log: Log;
}

/** A transaction of so many reports takes some 100 ms; its payment requests wait no longer. */
const MAX_BATCH = 500;

/**
 * Makes the call that takes the network's reports of refunds (contract §11), which come at least
 * once and in any order. With `alsoWrite`, all reports are one transaction with the network's own
 * rows. Read the refunds' statuses in `alsoWrite`: a refund that has FAILED meanwhile stays FAILED.
 */
export function createRefundReports(deps: RefundReportDeps): NetworkListener['reportRefunds'] {
  return (reports, alsoWrite) =>
    runOutsideCalls(async () => {
      if (alsoWrite) return applyTogether(deps, reports, alsoWrite);
      for (let first = 0; first < reports.length; first += MAX_BATCH) {
        await applyTogether(deps, reports.slice(first, first + MAX_BATCH), null);
      }
    });
}

async function applyTogether(
  deps: RefundReportDeps,
  reports: readonly RefundReport[],
  alsoWrite: ((tx: Executor) => Promise<void>) | null,
): Promise<void> {
  if (reports.length === 0 && alsoWrite === null) return;
  const written = await deps.db.transaction(async (tx) => {
    const applied = await applyRefundReports(tx, deps, reports);
    await alsoWrite?.(tx);
    return applied;
  });
  written.publish();
}

/** Applies reports in the caller's transaction, which locks the payment requests. */
export async function applyRefundReports(
  tx: Executor,
  deps: RefundReportDeps,
  reports: readonly RefundReport[],
): Promise<Written> {
  const ids = reports.map(({ refundId }) => refundId);
  const { currency } = deps.settings;
  const createdAt = deps.clock.now();
  const payments = await lockPaymentsOfRefunds(tx, ids);
  const found = new Map((await findRefunds(tx, ids)).map((refund) => [refund.id, refund]));
  const caused: (CausedChange & { readonly outcome: RefundOutcome })[] = [];
  for (const { refundId, outcome } of reports) {
    const refund = found.get(refundId.toLowerCase());
    if (!refund) {
      deps.log.error({ refundId }, 'e-transfer network reports of a refund that is not known');
      continue;
    }
    caused.push({ refund, outcome, cause: causeOf(outcome) });
  }
  const written = await changeRefundStatuses(tx, deps, payments, caused);
  const cases = caused.flatMap(({ refund, outcome }, index) => {
    const current = written.refunds[index] ?? refund;
    if (written.isChanged[index] || outcome.state !== 'COMPLETED') return [];
    return executedUnasked(current, outcome.movement);
  });
  const opened = await openOperatorCases(tx, deps, cases);
  await insertLedgerEntries(
    tx,
    caused.flatMap(({ outcome }, index) => {
      const refund = written.refunds[index];
      if (!refund || outcome.state !== 'COMPLETED' || written.isChanged[index]) return [];
      const charges = lateCharges(refund, outcome.movement, outcome.feeCents ?? 0);
      return charges.map((each) => ({ ...each, currency, createdAt }));
    }),
  );
  return {
    publish() {
      opened.publish();
      written.publish();
    },
  };
}

function causeOf(outcome: RefundOutcome): RefundCause {
  switch (outcome.state) {
    case 'PROCESSING':
      return { name: 'HANDED_OVER' };
    case 'COMPLETED':
      return {
        name: 'EXECUTED',
        movement: outcome.movement,
        completedAt: outcome.completedAt,
        feeCents: outcome.feeCents ?? 0,
      };
    case 'FAILED':
      return { name: 'REFUSED', reasonCode: outcome.reason };
    case 'RETURNED':
      return {
        name: 'MONEY_CAME_BACK',
        movement: outcome.movement,
        feeCents: outcome.feeCents ?? 0,
      };
  }
}

/**
 * The case that the network has executed a refund that had failed here, or has executed it twice:
 * money left, and no sum shows it. A refund whose money came back was executed, and its ledger
 * entries are written already.
 */
export function executedUnasked(refund: Refund, movement: MoneyMovement): NewOperatorCase[] {
  const { id, paymentRequestId, merchantId, status, statusReasonCode } = refund;
  const isAfterFailure = status === 'FAILED' && statusReasonCode !== 'REFUND_RETURNED';
  if (!isAfterFailure && !isSecondBooking(refund, movement)) return [];
  const details = {
    refundId: id,
    arrivedCents: movement.amountCents,
    networkReference: movement.networkReference,
    ...(movement.bankReference !== null && { bankReference: movement.bankReference }),
    ...(movement.bookingDate !== null && { bookingDate: movement.bookingDate }),
  };
  return [{ kind: 'REFUNDED_OUTSIDE', paymentRequestId, merchantId, details }];
}

/**
 * Whether a bank has booked the refund under two references of its own. A booking that names none
 * may be the known one, announced by another message. Money that came back can leave twice, too.
 */
function isSecondBooking({ id, payment }: Refund, { bankReference, ...second }: MoneyMovement) {
  if (payment === null || bankReference === null) return false;
  const { networkReference: first } = payment;
  return !first.startsWith(id) && first !== second.networkReference;
}
