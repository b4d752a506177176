import { createBatcher } from '#database/batcher.ts';
import type { Executor } from '#database/database.ts';
import type { NetworkOutcome, NetworkReport, Verdict } from '#e-transfer/e-transfer-network.ts';
import {
  type CallContext,
  currentCall,
  inSpan,
  runInCall,
  runOutsideCalls,
} from '#lib/call-context.ts';
import { findSuspendedMerchants } from '#payment-requests/lookup/suspended-merchant-store.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { Plan } from '#payment-requests/model/plan-change.ts';
import { isInProgress, isOpen } from '#payment-requests/model/statuses.ts';
import {
  type ChangeStatusDeps,
  changeStatuses,
  type Written,
} from '#payment-requests/status/change-status.ts';
import {
  lockFreePaymentRequests,
  lockPaymentRequest,
} from '#payment-requests/status/lock-store.ts';
import { findOpenMoneyCases, isMoneyCase } from '#payment-requests/status/money-case-store.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { DatabaseMetrics } from '#telemetry/metrics/database-metrics.ts';
import type { NetworkMetrics } from '#telemetry/metrics/network-metrics.ts';
import { decideReport, movementsOf, type ReportFacts } from './decide-report.ts';
import { followMoney } from './money/follow-money.ts';
import { changesMoney, isReturn, returnedCents, undoneBy } from './money/moved-money.ts';
import { heldReferencesOf, rememberEntry, rememberTakenBack } from './money/movement-index.ts';
import { lockMovements } from './money/movement-store.ts';
import { findRedirect, followRedirect, type Redirect } from './money/redirect-return.ts';
import { recordUnknownRequest } from './money/report-unmatched.ts';
import { markPaymentsOver } from './request-store.ts';

/** Its rows stay locked while a batch is written, some 30 ms: a cancellation waits that long. */
const MAX_BATCH = 100;
/** The reports of a second; a network that sends more must report again. */
const MAX_QUEUE = 2_000;
/** An operator replaces money once and assigns it once; more steps meet acts of the same moment. */
const MOST_MOVES = 4;

export interface ApplyReportDeps extends ChangeStatusDeps {
  readonly log: Log;
  readonly metrics: NetworkMetrics;
  /** ISO 4217: the deployment's one currency. */
  readonly currency: string;
  /**
   * Called in the transaction that writes money taken back, after the sums: fails refunds that are
   * no longer covered, and refunds of the movements that went back.
   */
  readonly onMoneyReturned?: (
    tx: Executor,
    paymentRequestIds: readonly string[],
    returnedReferences: readonly string[],
  ) => Promise<Written>;
}

interface Applied extends Written {
  /** In the reports' order; null for a report that was left out. */
  readonly verdicts: readonly (Verdict | null)[];
  /** The place of the money of a report left out; null: none was found. */
  readonly redirect: Redirect | null;
}

/**
 * Makes the call that takes the network's reports (contract §5). Reports that come together are
 * one transaction, which waits for no lock. A report of a payment request that another transaction
 * holds, or that is unknown, gets a transaction of its own.
 */
export function createReportBatcher(
  deps: ApplyReportDeps & { readonly metrics: DatabaseMetrics },
): (report: NetworkReport) => Promise<Verdict> {
  const apply = createBatcher<CalledReport, Verdict | null>({
    run: (called) => {
      const reports = called.map(({ report }) => report);
      return applyFreeReports(publishingInCalls(deps, called), reports);
    },
    maxBatch: MAX_BATCH,
    maxQueue: MAX_QUEUE,
    onBatch: (size) => deps.metrics.batched('report', size),
  });
  return (report) =>
    inSpan('apply-network-report', async () => {
      const called = { report, call: currentCall() };
      const alone = publishingInCalls(deps, [called]);
      // The network reports; a payer's call that a report arrives in is not the report's cause.
      return (await apply(called)) ?? runOutsideCalls(() => applyReport(alone, report));
    });
}

interface CalledReport {
  readonly report: NetworkReport;
  /** The call that the report arrived in, such as a payer's; undefined: a loop reports. */
  readonly call: CallContext | undefined;
}

/** Log lines and spans of a move name the call of its report, though a batch writes it. */
function publishingInCalls<Deps extends ApplyReportDeps>(
  deps: Deps,
  called: readonly CalledReport[],
): Deps {
  // The first of several reports in a batch moves their payment request.
  const inOrder = called.toReversed();
  const calls = new Map(inOrder.map(({ report, call }) => [report.paymentRequestId, call]));
  return {
    ...deps,
    onStatusChanged(change, traceparent) {
      const call = calls.get(change.id);
      const publish = () => deps.onStatusChanged(change, traceparent);
      if (call) runInCall(call, publish);
      else publish();
    },
  };
}

/**
 * Applies a report in a transaction of its own, which waits for the payment request's lock. Money
 * that an operator has moved is taken back from the place that has the money.
 */
export async function applyReport(deps: ApplyReportDeps, report: NetworkReport): Promise<Verdict> {
  let due = report;
  for (let moves = 0; moves < MOST_MOVES; moves++) {
    const { verdicts, redirect, publish } = await deps.db.transaction(async (tx) => {
      const locked = await lockPaymentRequest(tx, due.paymentRequestId);
      return locked ? applyLocked(tx, deps, [due], [locked]) : applyToUnknown(tx, deps, due);
    });
    publish();
    if (verdicts[0] || redirect === null) return verdicts[0] ?? 'NOT_TAKEN';
    due = await followRedirect(deps.db, due, redirect);
  }
  throw new Error('money that was taken back changes its payment request again and again');
}

/**
 * Applies reports in one transaction that waits for no lock: leaves out a report whose payment
 * request another transaction holds or that does not exist, or whose money another one has.
 *
 * @returns the verdicts in the reports' order; null for a report left out.
 */
async function applyFreeReports(
  deps: ApplyReportDeps,
  reports: readonly NetworkReport[],
): Promise<readonly (Verdict | null)[]> {
  const { verdicts, publish } = await deps.db.transaction(async (tx) => {
    const ids = new Set(reports.map(({ paymentRequestId }) => paymentRequestId));
    const locked = await lockFreePaymentRequests(tx, [...ids]);
    return applyLocked(tx, deps, reports, locked);
  });
  try {
    publish();
  } catch (err) {
    // The reports are committed: a fault thrown here would make the batcher apply them again.
    deps.log.error({ err }, 'network reports written, but not published');
  }
  return verdicts;
}

/** Decides in the order of the reports, each by the result of those before it; then writes all. */
export async function applyLocked(
  tx: Executor,
  deps: ApplyReportDeps,
  reports: readonly NetworkReport[],
  locked: readonly PaymentRequest[],
): Promise<Applied> {
  const current = new Map(locked.map((paymentRequest) => [paymentRequest.id, paymentRequest]));
  const facts = await readFacts(tx, deps, reports, current);
  const now = deps.clock.now();
  const plans: Plan[] = [];
  const takenBack: string[] = [];
  const returnedReferences: string[] = [];
  let redirect: Redirect | null = null;
  const verdicts = reports.map((report) => {
    const before = current.get(report.paymentRequestId);
    if (!before) return null;
    redirect = findRedirect(report, facts.money);
    if (redirect !== null) return null;
    const { verdict, plan } = decideReport(before, report, facts, now);
    const { paymentRequest: after, operatorCases, entries } = plan;
    current.set(after.id, after);
    for (const entry of entries) rememberEntry(facts.money, entry, now);
    if (operatorCases.some(({ kind }) => isMoneyCase(kind))) facts.moneyCases.add(after.id);
    // The network takes it back; opening the link of an open request makes a new one.
    const isTakenBack = report.isRevocable && verdict === 'NOT_TAKEN';
    if (isTakenBack && isOpen(after.status)) takenBack.push(after.id);
    if (isReturn(plan)) {
      const undone = undoneBy(report.outcome);
      returnedReferences.push(...undone);
      for (const reference of undone)
        rememberTakenBack(facts.money, reference, returnedCents(plan));
    }
    plans.push(plan);
    return verdict;
  });
  await markPaymentsOver(tx, takenBack);
  const written = await changeStatuses(tx, deps, plans);
  const reduced = await tellOfReturns(tx, deps, plans, returnedReferences);
  const moved = plans.filter(changesMoney).map((plan) => plan.paymentRequest.id);
  const held = plans.flatMap(({ entries }) => heldReferencesOf(entries));
  await followMoney(tx, deps, moved, [...returnedReferences, ...held]);
  return {
    verdicts,
    redirect,
    publish() {
      publish(deps, reports, verdicts, written);
      reduced?.publish();
    },
  };
}

async function tellOfReturns(
  tx: Executor,
  { onMoneyReturned }: ApplyReportDeps,
  plans: readonly Plan[],
  returnedReferences: readonly string[],
): Promise<Written | undefined> {
  const returned = plans.filter(isReturn);
  if (returned.length === 0) return undefined;
  const ids = new Set(returned.map(({ paymentRequest }) => paymentRequest.id));
  return onMoneyReturned?.(tx, [...ids], returnedReferences);
}

interface GrowingFacts extends ReportFacts {
  readonly moneyCases: Set<string>;
}

/** Reads only the facts that these reports can need: most reports need none but the owners. */
async function readFacts(
  tx: Executor,
  { currency }: ApplyReportDeps,
  reports: readonly NetworkReport[],
  locked: ReadonlyMap<string, PaymentRequest>,
): Promise<GrowingFacts> {
  const references: string[] = [];
  const merchantIds = new Set<string>();
  const refusedIds = new Set<string>();
  const seen = new Set<string>();
  for (const { paymentRequestId: id, outcome, isRevocable } of reports) {
    const found = locked.get(id);
    if (!found) continue;
    references.push(...referencesOf(outcome));
    if (isRevocable && isOpen(found.status)) merchantIds.add(found.merchant.id);
    // An earlier report of the batch may have made it PROCESSING.
    const isInProgressThen = isInProgress(found.status) || seen.has(id);
    if (outcome.state === 'REFUSED' && isInProgressThen) refusedIds.add(id);
    seen.add(id);
  }
  return {
    currency,
    money: await lockMovements(tx, references),
    suspendedMerchants: await findSuspendedMerchants(tx, [...merchantIds]),
    moneyCases: new Set(await findOpenMoneyCases(tx, [...refusedIds])),
  };
}

/** The network references of which a report's decision reads the movements. */
function referencesOf(outcome: NetworkOutcome): string[] {
  switch (outcome.state) {
    case 'SUCCEEDED':
    case 'PART_RECEIVED':
      return movementsOf(outcome).map(({ networkReference }) => networkReference);
    case 'RETURNED':
      return [outcome.movement.networkReference, ...undoneBy(outcome)];
    case 'ACCEPTED':
    case 'REFUSED':
      return [];
  }
}

/** A report about an unknown payment request; money for it is a case for an operator. */
async function applyToUnknown(
  tx: Executor,
  deps: ApplyReportDeps,
  report: NetworkReport,
): Promise<Applied> {
  const { paymentRequestId, outcome, isRevocable } = report;
  deps.log.error({ paymentRequestId }, 'e-transfer network reports of what is not known');
  const isMoney = outcome.state === 'SUCCEEDED' && !isRevocable;
  const written = isMoney
    ? await recordUnknownRequest(tx, deps, paymentRequestId, outcome)
    : { publish() {} };
  const verdicts: Verdict[] = ['NOT_TAKEN'];
  return { verdicts, redirect: null, publish: () => publish(deps, [report], verdicts, written) };
}

function publish(
  { metrics }: ApplyReportDeps,
  reports: readonly NetworkReport[],
  verdicts: readonly (Verdict | null)[],
  written: Written,
): void {
  written.publish();
  for (const [index, { outcome }] of reports.entries()) {
    const verdict = verdicts[index];
    if (verdict) metrics.networkReport({ state: outcome.state, verdict });
  }
}
