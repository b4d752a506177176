import type {
  NetworkRefund,
  RefundOutcome,
  RefundStart,
  RefundState,
} from '#e-transfer/network-refunds.ts';
import type { BankCalendar } from '#lib/bank/bank-calendar.ts';
import { passFailpoint } from '#lib/failpoints/failpoint.ts';
import { type NetworkCalls, NetworkUnavailable } from '#payment-requests/network/client.ts';
import { openOperatorCases } from '#payment-requests/status/operator-cases.ts';
import type { Refund } from '#refunds/model/refund.ts';
import { applyRefundReports, type RefundReportDeps } from './apply-refund-reports.ts';
import { claimDueRefunds, type DueRefund, planNextPoll } from './poll-store.ts';
import {
  HELD_SECONDS,
  OVERDUE_WORKING_DAYS,
  secondsToNextPoll,
  workingDaysBetween,
} from './schedule.ts';

export interface HandOverDeps extends RefundReportDeps {
  readonly calls: NetworkCalls;
  readonly calendar: BankCalendar;
}

/** A run's share: at the deadline of 4 s a call, done within the lease. */
const BATCH = 32;
const CONCURRENCY = 4;
const LEASE_SECONDS = 90;

/**
 * Hands CREATED refunds to the network, and polls those that it has (contract §11). A process that
 * dies in between leaves the refund to the next claim, and the network knows it by its id.
 *
 * @returns whether more may be due.
 * @throws  the first failure of our own, after all others of the batch were done.
 */
export async function handOverRefunds(deps: HandOverDeps, signal: AbortSignal): Promise<boolean> {
  const due = await claimDueRefunds(deps.db, BATCH, LEASE_SECONDS);
  const queue = due.values();
  const failures: unknown[] = [];

  async function work(): Promise<void> {
    for (const each of queue) {
      if (signal.aborted) return;
      await handOverOne(deps, each).catch((error) => failures.push(error));
    }
  }

  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (failures.length > 0) throw failures[0];
  return due.length === BATCH;
}

async function handOverOne(deps: HandOverDeps, due: DueRefund): Promise<void> {
  const { refund } = due;
  try {
    if (refund.status === 'CREATED') return await start(deps, due);
    if (refund.status === 'PROCESSING') return await poll(deps, due);
    await planNextPoll(deps.db, refund, null);
  } catch (error) {
    if (!(error instanceof NetworkUnavailable)) throw error;
    deps.log.warn({ refundId: refund.id, err: error }, 'e-transfer network not reached');
    await planLater(deps, due);
  }
}

async function start(deps: HandOverDeps, due: DueRefund): Promise<void> {
  const { refund, isHeld } = due;
  // Refunds of a suspended merchant (contract §11), and of a restored database.
  if (isHeld) return planNextPoll(deps.db, refund, HELD_SECONDS, true);
  const answer = await deps.calls.startRefund(networkRefundOf(deps, refund));
  passFailpoint('refund-handed-over');
  switch (answer.state) {
    case 'PROCESSING':
    case 'FAILED':
      await report(deps, refund, answer);
      return planNextPoll(
        deps.db,
        { id: refund.id, status: 'PROCESSING' },
        secondsToNextPoll('PROCESSING', 1),
        true,
      );
    case 'QUEUED':
      return planLater(deps, due);
    case 'ACCOUNT_UNCLEAR':
      return failUnclear(deps, refund, answer);
  }
}

async function poll(deps: HandOverDeps, due: DueRefund): Promise<void> {
  const { refund } = due;
  const state = await deps.calls.askRefundState(refund.id);
  if (isOutcome(state)) {
    await report(deps, refund, state);
    if (state.state !== 'PROCESSING') return;
  }
  await openOverdueCase(deps, refund);
  await planLater(deps, due);
}

function isOutcome(state: RefundState): state is RefundOutcome {
  return state.state !== 'QUEUED' && state.state !== 'UNKNOWN';
}

async function planLater({ db }: HandOverDeps, { refund, polls }: DueRefund): Promise<void> {
  const status = refund.status === 'CREATED' ? 'CREATED' : 'PROCESSING';
  await planNextPoll(db, refund, secondsToNextPoll(status, polls));
}

async function report(deps: HandOverDeps, { id }: Refund, outcome: RefundOutcome): Promise<void> {
  const written = await deps.db.transaction((tx) =>
    applyRefundReports(tx, deps, [{ refundId: id, outcome }]),
  );
  written.publish();
}

/** Which account is right only a person can say: the operator's choice is a refund of its own. */
async function failUnclear(
  deps: HandOverDeps,
  { id, paymentRequestId, merchantId, amountCents }: Refund,
  { movements }: Extract<RefundStart, { state: 'ACCOUNT_UNCLEAR' }>,
): Promise<void> {
  const details = {
    refundId: id,
    refundCents: amountCents,
    movements: movements.map((each) => ({
      networkReference: each.networkReference,
      amountCents: each.amountCents,
    })),
  };
  const kind = 'REFUND_ACCOUNT_UNCLEAR';
  const outcome = { state: 'FAILED', reason: 'PAYER_ACCOUNT_UNKNOWN' } as const;
  const [failed, opened] = await deps.db.transaction(async (tx) => [
    await applyRefundReports(tx, deps, [{ refundId: id, outcome }]),
    await openOperatorCases(tx, deps, [{ kind, paymentRequestId, merchantId, details }]),
  ]);
  opened.publish();
  failed.publish();
}

/** Opens the case of a refund that is in progress for too long; an equal case opens once. */
async function openOverdueCase(deps: HandOverDeps, refund: Refund): Promise<void> {
  const since = refund.events.at(-1)?.occurredAt ?? refund.createdAt;
  if (workingDaysBetween(deps.calendar, since, deps.clock.now()) < OVERDUE_WORKING_DAYS) return;
  const { id, paymentRequestId, merchantId, amountCents } = refund;
  const details = { refundId: id, amountCents, since: since.toISOString() };
  const kind = 'REFUND_OVERDUE';
  const written = await deps.db.transaction((tx) =>
    openOperatorCases(tx, deps, [{ kind, paymentRequestId, merchantId, details }]),
  );
  written.publish();
}

function networkRefundOf({ settings }: HandOverDeps, refund: Refund): NetworkRefund {
  return {
    refundId: refund.id,
    paymentRequestId: refund.paymentRequestId,
    amountCents: refund.amountCents,
    currency: settings.currency,
    message: refund.message,
    movementReference: refund.movementReference,
  };
}
