import type { NetworkOutcome, NetworkState } from '#e-transfer/e-transfer-network.ts';
import { newId } from '#lib/new-id.ts';
import { findPaymentRequest } from '#payment-requests/lookup/find-store.ts';
import { type PaymentRequest, paymentRequestAt } from '#payment-requests/model/payment-request.ts';
import { moveLocked, tellOfMoves } from '#payment-requests/status/change-status.ts';
import {
  hasOpenMoneyCase,
  openOperatorCase,
} from '#payment-requests/status/operator-case-store.ts';
import { lockPaymentRequest } from '#payment-requests/status/status-store.ts';
import { type NetworkReportDeps, takeNetworkReport } from './apply-report.ts';
import { NetworkUnavailable } from './client.ts';
import { type PayerUrlDeps, tellNetwork } from './register-request.ts';
import {
  claimDueLooks,
  type DueLook,
  markAlerted,
  markPaymentOver,
  planNextLook,
} from './request-store.ts';
import {
  ENDED_LOOKS_SECONDS,
  PROCESSING_ALERT_SECONDS,
  PROCESSING_ENDS_SECONDS,
  SETTLED_SECONDS,
  secondsToNextLook,
} from './schedule.ts';

export interface ReconcileDeps extends NetworkReportDeps, PayerUrlDeps {}

/** One run's share: at the deadline of 4 s a call and two calls a look, done within the lease. */
const BATCH = 32;
const CONCURRENCY = 4;
const LEASE_SECONDS = 90;

/**
 * Looks at what the network was told and has not been heard of (contract §5): asks about open and
 * processing requests, tells of changes and ends, and closes what nothing can come of any more.
 *
 * @returns whether more may be due.
 * @throws  the first failure of our own, after all others of the batch were looked at.
 */
export async function reconcileNetworkRequests(
  deps: ReconcileDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const due = await claimDueLooks(deps.db, BATCH, LEASE_SECONDS);
  const queue = due.values();
  const failures: unknown[] = [];

  async function work(): Promise<void> {
    for (const look of queue) {
      if (signal.aborted) return;
      await lookAt(deps, look).catch((error) => failures.push(error));
    }
  }

  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (failures.length > 0) throw failures[0];
  return due.length === BATCH;
}

async function lookAt(deps: ReconcileDeps, look: DueLook): Promise<void> {
  const found = await findPaymentRequest(deps.db, look.paymentRequestId);
  if (!found) return planNextLook(deps.db, look, null);
  const current = paymentRequestAt(found, deps.clock.now());
  const isOver = await reconcile(deps, look, current).catch((error) => {
    if (!(error instanceof NetworkUnavailable)) throw error;
    deps.log.warn({ paymentRequestId: current.id, err: error }, 'e-transfer network not reached');
    return false;
  });
  if (current.status === 'PROCESSING') await watchProcessing(deps, current);
  await planNextLook(deps.db, look, isOver ? null : secondsToNextLook(current.status, look.looks));
}

/** @returns whether nothing can come any more. */
async function reconcile(
  deps: ReconcileDeps,
  look: DueLook,
  current: PaymentRequest,
): Promise<boolean> {
  switch (current.status) {
    case 'PAID':
      return true;
    case 'CREATED':
      await reconcileOpen(deps, look, current);
      return false;
    case 'PROCESSING':
      await ask(deps, current);
      return false;
    default:
      return endAtNetwork(deps, look, current);
  }
}

async function reconcileOpen(
  deps: ReconcileDeps,
  { knownVersion, isPaymentOver }: DueLook,
  current: PaymentRequest,
): Promise<void> {
  // Only what the payer may have seen there is worth bringing up to date.
  const isOutdated = knownVersion !== null && knownVersion < current.version;
  if (isOutdated && !isPaymentOver) await tellNetwork(deps, current);
  const { state } = await ask(deps, current);
  // Without a report of it the link would lead to a payment that nobody can make any more.
  if (state === 'CANCELLED') await markPaymentOver(deps.db, current.id);
}

async function ask(deps: ReconcileDeps, { id }: PaymentRequest): Promise<NetworkState> {
  const state = await deps.calls.askState(id);
  if (isOutcome(state)) {
    // What it says when it is asked has happened: there is nothing to take back.
    await takeNetworkReport(deps, { paymentRequestId: id, outcome: state, isRevocable: false });
  }
  return state;
}

function isOutcome(state: NetworkState): state is NetworkOutcome {
  return state.state !== 'OPEN' && state.state !== 'UNKNOWN' && state.state !== 'CANCELLED';
}

/** Nobody shall pay it at the network either; if somebody has, the money counts (PAID, late). */
async function endAtNetwork(
  deps: ReconcileDeps,
  { ageSeconds, looks }: DueLook,
  current: PaymentRequest,
): Promise<boolean> {
  const endedAt = current.events.at(-1)?.occurredAt ?? current.createdAt;
  const endedSeconds = (deps.clock.now().getTime() - endedAt.getTime()) / 1_000;
  // Told of once at least, however late this look is.
  const isHopeless = endedSeconds >= ENDED_LOOKS_SECONDS && looks > 1;
  if (isHopeless) return true;
  const cancellation = await deps.calls.cancel(current.id);
  if (cancellation === 'CANCELLED') return true;
  if (cancellation === 'UNKNOWN') return ageSeconds >= SETTLED_SECONDS;
  const { state } = await ask(deps, current);
  return state === 'SUCCEEDED' || state === 'REFUSED' || state === 'CANCELLED';
}

/**
 * PROCESSING ends after 72 h, with an alert before (contract §5); not while money that arrived
 * waits for an operator, and then with the first look after the case was closed.
 */
async function watchProcessing(deps: ReconcileDeps, current: PaymentRequest): Promise<void> {
  const since = current.events.at(-1)?.occurredAt ?? current.createdAt;
  const now = deps.clock.now();
  const seconds = (now.getTime() - since.getTime()) / 1_000;
  const { id: paymentRequestId } = current;
  if (seconds >= PROCESSING_ENDS_SECONDS) return endProcessing(deps, paymentRequestId);
  if (seconds < PROCESSING_ALERT_SECONDS) return;
  const kind = 'PROCESSING_OVERDUE';
  const isFirst = await deps.db.transaction(async (tx) => {
    if (!(await markAlerted(tx, paymentRequestId))) return false;
    const details = { since: since.toISOString() };
    return openOperatorCase(tx, { id: newId(), kind, paymentRequestId, details, openedAt: now });
  });
  if (!isFirst) return;
  deps.metrics.operatorCaseOpened(kind);
  deps.log.error({ paymentRequestId, kind }, 'operator case opened');
}

async function endProcessing(deps: ReconcileDeps, paymentRequestId: string): Promise<void> {
  const moves = await deps.db.transaction(async (tx) => {
    const locked = await lockPaymentRequest(tx, paymentRequestId);
    if (locked?.status !== 'PROCESSING') return [];
    if (await hasOpenMoneyCase(tx, paymentRequestId)) return [];
    const cause = { name: 'PAYMENT_REFUSED', reasonCode: 'NETWORK_TIMEOUT' } as const;
    return (await moveLocked(tx, deps, locked, cause)).moves;
  });
  tellOfMoves(deps, moves);
}
