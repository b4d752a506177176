import type { NetworkOutcome, NetworkState, NetworkTimes } from '#e-transfer/e-transfer-network.ts';
import { findPaymentRequest } from '#payment-requests/lookup/find-store.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { isInProgress, type NetworkTask, STATUS_FACTS } from '#payment-requests/model/statuses.ts';
import { changeLocked } from '#payment-requests/status/change-status.ts';
import { lockPaymentRequest } from '#payment-requests/status/lock-store.ts';
import { findOpenMoneyCases } from '#payment-requests/status/money-case-store.ts';
import { openOperatorCases } from '#payment-requests/status/operator-cases.ts';
import { type ApplyReportDeps, applyReport } from './apply-report.ts';
import { NetworkUnavailable } from './client.ts';
import { type PayerUrlDeps, updateAtNetwork } from './register-request.ts';
import {
  claimDuePolls,
  type DuePoll,
  markAlerted,
  markPaymentsOver,
  planNextPoll,
} from './request-store.ts';
import { SETTLED_SECONDS, secondsToNextPoll, settlementTimes } from './schedule.ts';

export interface ReconcileDeps extends ApplyReportDeps, PayerUrlDeps {
  readonly times: NetworkTimes;
}

/** A run's share: at the deadline of 4 s a call and two calls a poll, done within the lease. */
const BATCH = 32;
const CONCURRENCY = 4;
const LEASE_SECONDS = 90;

/**
 * Polls the network for payment requests without a final report (contract §5): open requests and
 * those in progress. Updates and cancels payments there, and stops when no money can come any more.
 *
 * @returns whether more may be due.
 * @throws  the first failure of our own, after all others of the batch were polled.
 */
export async function reconcileNetworkRequests(
  deps: ReconcileDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const due = await claimDuePolls(deps.db, BATCH, LEASE_SECONDS);
  const queue = due.values();
  const failures: unknown[] = [];

  async function work(): Promise<void> {
    for (const poll of queue) {
      if (signal.aborted) return;
      await reconcileOne(deps, poll).catch((error) => failures.push(error));
    }
  }

  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (failures.length > 0) throw failures[0];
  return due.length === BATCH;
}

async function reconcileOne(deps: ReconcileDeps, poll: DuePoll): Promise<void> {
  const found = await findPaymentRequest(deps.db, poll.paymentRequestId);
  if (!found) return planNextPoll(deps.db, poll, null);
  const current = paymentRequestAt(found, deps.clock.now());
  const task = TASKS[STATUS_FACTS[current.status].network];
  const isDone = await task(deps, current, poll).catch((error) => {
    if (!(error instanceof NetworkUnavailable)) throw error;
    deps.log.warn({ paymentRequestId: current.id, err: error }, 'e-transfer network not reached');
    return false;
  });
  if (isInProgress(current.status)) await watchProcessing(deps, current);
  const nextSeconds = isDone ? null : secondsToNextPoll(current.status, poll.polls);
  await planNextPoll(deps.db, poll, nextSeconds);
}

/** @returns whether no money can come any more. */
type DoTask = (deps: ReconcileDeps, current: PaymentRequest, poll: DuePoll) => Promise<boolean>;

const TASKS: Readonly<Record<NetworkTask, DoTask>> = {
  UPDATE: updateOpen,
  POLL: async (deps, current) => {
    await askState(deps, current);
    return false;
  },
  CANCEL: cancelAtNetwork,
  NONE: async () => true,
};

async function updateOpen(
  deps: ReconcileDeps,
  current: PaymentRequest,
  { knownVersion, isPaymentOver }: DuePoll,
): Promise<boolean> {
  // Only a payment that the payer may have seen is worth an update.
  const isOutdated = knownVersion !== null && knownVersion < current.version;
  if (isOutdated && !isPaymentOver) await updateAtNetwork(deps, current);
  const { state } = await askState(deps, current);
  // Without a report of it the link would lead to a payment that cannot be made any more.
  if (state === 'CANCELLED') await markPaymentsOver(deps.db, [current.id]);
  return false;
}

async function askState(deps: ReconcileDeps, { id }: PaymentRequest): Promise<NetworkState> {
  const state = await deps.calls.askState(id);
  if (isOutcome(state)) {
    // An answer of the network is about the past: there is nothing to take back.
    await applyReport(deps, { paymentRequestId: id, outcome: state, isRevocable: false });
  }
  return state;
}

function isOutcome(state: NetworkState): state is NetworkOutcome {
  return state.state !== 'OPEN' && state.state !== 'UNKNOWN' && state.state !== 'CANCELLED';
}

/** The payer must not pay at the network any more; money already sent still counts (PAID, late). */
async function cancelAtNetwork(
  deps: ReconcileDeps,
  current: PaymentRequest,
  { ageSeconds, polls }: DuePoll,
): Promise<boolean> {
  const endedAt = current.events.at(-1)?.occurredAt ?? current.createdAt;
  const endedSeconds = (deps.clock.now().getTime() - endedAt.getTime()) / 1_000;
  // The network gets at least one cancellation, however late this poll is.
  const isHopeless = endedSeconds >= settlementTimes(deps.times).endedPollsSeconds && polls > 1;
  if (isHopeless) return true;
  const cancellation = await deps.calls.cancel(current.id);
  // CANNOT_PREVENT: the network reports money that comes all the same, and PAID is paidLate.
  if (cancellation === 'CANCELLED' || cancellation === 'CANNOT_PREVENT') return true;
  if (cancellation === 'UNKNOWN') return ageSeconds >= SETTLED_SECONDS;
  const { state } = await askState(deps, current);
  return state === 'SUCCEEDED' || state === 'REFUSED' || state === 'CANCELLED';
}

/**
 * PROCESSING ends after the network's slowest settlement, with an alert before (contract §5). While
 * money that arrived waits for an operator, PROCESSING stays, and ends with the first poll after
 * the case was closed.
 */
async function watchProcessing(deps: ReconcileDeps, current: PaymentRequest): Promise<void> {
  const since = current.events.at(-1)?.occurredAt ?? current.createdAt;
  const seconds = (deps.clock.now().getTime() - since.getTime()) / 1_000;
  const { id: paymentRequestId } = current;
  const { processingEndsSeconds, alertSeconds } = settlementTimes(deps.times);
  if (seconds >= processingEndsSeconds) return endProcessing(deps, paymentRequestId);
  if (seconds < alertSeconds) return;
  const details = { since: since.toISOString() };
  const written = await deps.db.transaction(async (tx) => {
    if (!(await markAlerted(tx, paymentRequestId))) return null;
    const merchantId = current.merchant.id;
    const overdue = { kind: 'PROCESSING_OVERDUE', paymentRequestId, merchantId, details } as const;
    return openOperatorCases(tx, deps, [overdue]);
  });
  written?.publish();
}

async function endProcessing(deps: ReconcileDeps, paymentRequestId: string): Promise<void> {
  const written = await deps.db.transaction(async (tx) => {
    const locked = await lockPaymentRequest(tx, paymentRequestId);
    if (!locked || !isInProgress(locked.status)) return null;
    if ((await findOpenMoneyCases(tx, [paymentRequestId])).size > 0) return null;
    const cause = { name: 'PAYMENT_REFUSED', reasonCode: 'NETWORK_TIMEOUT' } as const;
    return changeLocked(tx, deps, locked, cause);
  });
  written?.publish();
}
