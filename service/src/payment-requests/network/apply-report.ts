import type { Executor } from '#database/database.ts';
import type { NetworkOutcome, NetworkReport, Verdict } from '#e-transfer/e-transfer-network.ts';
import { newId } from '#lib/new-id.ts';
import { canStillBePaid } from '#payment-requests/model/can-still-be-paid.ts';
import {
  type Cause,
  type PaymentRequest,
  paymentRequestAt,
} from '#payment-requests/model/payment-request.ts';
import {
  type MoveDeps,
  planLocked,
  tellOfMoves,
  type UncommittedMove,
} from '#payment-requests/status/change-status.ts';
import {
  hasOpenMoneyCase,
  type OperatorCase,
  openOperatorCase,
} from '#payment-requests/status/operator-case-store.ts';
import { lockPaymentRequest } from '#payment-requests/status/status-store.ts';
import { writeMovesInOrder } from '#payment-requests/status/write-changes.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { NetworkMetrics } from '#telemetry/metrics/network-metrics.ts';
import { lockNetworkReferences } from './reference-store.ts';
import { markPaymentOver } from './request-store.ts';

export interface NetworkReportDeps extends MoveDeps {
  readonly log: Log;
  readonly metrics: NetworkMetrics;
  /** ISO 4217: the deployment's one currency. */
  readonly currency: string;
}

type Succeeded = Extract<NetworkOutcome, { state: 'SUCCEEDED' }>;

/** What is made of a report, in a transaction that has yet to commit. */
export interface Taken {
  readonly verdict: Verdict;
  readonly moves: UncommittedMove['moves'];
  /** Opened in the same transaction; left out where the same case was opened before. */
  readonly caseKind?: OperatorCase['kind'];
}

const NOTHING_DONE: Taken = { verdict: 'NOT_TAKEN', moves: [] };

/**
 * Takes what the network reports or says when it is asked (contract §5): once, twice, late or in
 * the wrong order. Money that cannot be the payment asked for becomes an operator's case with an
 * alert: another amount or currency, a second payment, a reference that has paid something else,
 * or money for nothing that is known.
 *
 * @returns TAKEN when the payment request stands as reported, now or before.
 */
export async function takeNetworkReport(
  deps: NetworkReportDeps,
  report: NetworkReport,
): Promise<Verdict> {
  const taken = await deps.db.transaction(async (tx) => {
    const locked = await lockPaymentRequest(tx, report.paymentRequestId);
    if (!locked) return judgeUnknown(tx, deps, report);
    const owners = await lockNetworkReferences(tx, referencesOf([report]));
    const judged = await judgeReport(tx, deps, locked, report, owners);
    await writeMovesInOrder(tx, deps, judged.moves);
    return judged;
  });
  tellOfReport(deps, report, taken);
  return taken.verdict;
}

/** The network references of the money that these reports tell of. */
export function referencesOf(reports: readonly NetworkReport[]): string[] {
  return reports.flatMap(({ outcome }) =>
    outcome.state === 'SUCCEEDED' ? outcome.networkReference : [],
  );
}

/** Tells those who wait, measure and watch of a report whose transaction has been committed. */
export function tellOfReport(
  deps: NetworkReportDeps,
  { paymentRequestId, outcome }: NetworkReport,
  { verdict, moves, caseKind }: Taken,
): void {
  tellOfMoves(deps, moves);
  deps.metrics.networkReport({ state: outcome.state, verdict });
  if (!caseKind) return;
  deps.metrics.operatorCaseOpened(caseKind);
  deps.log.error({ paymentRequestId, kind: caseKind }, 'operator case opened');
}

/**
 * Judges what is reported of a payment request that the transaction has locked.
 *
 * @param owners the payment request that each network reference has paid; locked with
 *               `lockNetworkReferences`, and brought up to date with what this report pays
 * @returns what is made of it, with the moves that are still to be written.
 */
export async function judgeReport(
  tx: Executor,
  deps: NetworkReportDeps,
  locked: PaymentRequest,
  report: NetworkReport,
  owners: Map<string, string>,
): Promise<Taken> {
  const taken = await judgeLocked(tx, deps, locked, report, owners);
  const after = taken.moves.at(-1)?.moved ?? locked;
  if (after.status === 'PAID' && after.payment)
    owners.set(after.payment.networkReference, after.id);
  // The network takes the payment back; opening the link of an open request makes a new one.
  const isTakenBack = report.isRevocable && taken.verdict === 'NOT_TAKEN';
  if (isTakenBack && after.status === 'CREATED') await markPaymentOver(tx, after.id);
  return taken;
}

async function judgeLocked(
  tx: Executor,
  deps: NetworkReportDeps,
  locked: PaymentRequest,
  { outcome, isRevocable }: NetworkReport,
  owners: ReadonlyMap<string, string>,
): Promise<Taken> {
  const current = paymentRequestAt(locked, deps.clock.now());
  const fault = moneyFault(current, outcome, deps.currency, owners);
  if (standsAsReported(current, outcome)) {
    return fault ? openCase(tx, deps, fault, current) : { verdict: 'TAKEN', moves: [] };
  }
  if (isRevocable && !(await canStillBePaid(tx, current))) {
    // An expiry that is only judged so far is written down on this occasion.
    const { moves } = await planLocked(tx, deps, locked, { name: 'EXPIRY_PASSED' });
    return { verdict: 'NOT_TAKEN', moves };
  }
  if (fault) return openCase(tx, deps, fault, current);
  const isRefusal = outcome.state === 'REFUSED' && current.status === 'PROCESSING';
  // Contract §5: a request for which money has arrived does not fail before a person has decided.
  if (isRefusal && (await hasOpenMoneyCase(tx, current.id))) return NOTHING_DONE;
  const { result, moves } = await planLocked(tx, deps, locked, causeOf(outcome));
  return { verdict: result.outcome === 'MOVED' ? 'TAKEN' : 'NOT_TAKEN', moves };
}

/** Money that cannot be the payment that was asked for, and why. */
interface MoneyFault {
  readonly kind: OperatorCase['kind'];
  readonly money: Succeeded;
}

/** null: no money is reported, or it can be the payment that was asked for. Pure. */
function moneyFault(
  { id, status, amountCents, payment }: PaymentRequest,
  outcome: NetworkOutcome,
  currency: string,
  owners: ReadonlyMap<string, string>,
): MoneyFault | null {
  if (outcome.state !== 'SUCCEEDED') return null;
  const fault = (kind: OperatorCase['kind']) => ({ kind, money: outcome });
  if (outcome.currency !== currency) return fault('CURRENCY_MISMATCH');
  if (outcome.amountCents !== amountCents) return fault('AMOUNT_MISMATCH');
  const { networkReference } = outcome;
  if (payment?.networkReference === networkReference) return null;
  if ((owners.get(networkReference) ?? id) !== id) return fault('REFERENCE_REUSED');
  return status === 'PAID' ? fault('SECOND_PAYMENT') : null;
}

/** Whether a report is of what was reported before: it came twice, or after one that says more. */
function standsAsReported({ status, payment }: PaymentRequest, outcome: NetworkOutcome): boolean {
  switch (outcome.state) {
    case 'ACCEPTED':
      return status === 'PROCESSING' || status === 'PAID';
    case 'SUCCEEDED':
      return status === 'PAID' && payment?.networkReference === outcome.networkReference;
    case 'REFUSED':
      return status === 'FAILED';
  }
}

function causeOf(outcome: NetworkOutcome): Cause {
  switch (outcome.state) {
    case 'ACCEPTED':
      return { name: 'PAYMENT_ACCEPTED' };
    case 'REFUSED':
      return { name: 'PAYMENT_REFUSED', reasonCode: outcome.reason };
    case 'SUCCEEDED': {
      const { amountCents, institution, networkReference, completedAt } = outcome;
      return {
        name: 'PAYMENT_SUCCEEDED',
        amountCents,
        institution,
        networkReference,
        completedAt,
      };
    }
  }
}

async function judgeUnknown(
  tx: Executor,
  deps: NetworkReportDeps,
  { paymentRequestId, outcome, isRevocable }: NetworkReport,
): Promise<Taken> {
  deps.log.error({ paymentRequestId }, 'e-transfer network reports of what is not known');
  if (outcome.state !== 'SUCCEEDED' || isRevocable) return NOTHING_DONE;
  const fault: MoneyFault = { kind: 'UNKNOWN_PAYMENT_REQUEST', money: outcome };
  return openCase(tx, deps, fault, null, { paymentRequestId });
}

/** A report that comes again opens no second case: what tells it from others are its details. */
async function openCase(
  tx: Executor,
  { clock }: NetworkReportDeps,
  { kind, money }: MoneyFault,
  paymentRequest: PaymentRequest | null,
  details: Readonly<Record<string, unknown>> = {},
): Promise<Taken> {
  const { amountCents, currency, networkReference, institution } = money;
  const isNew = await openOperatorCase(tx, {
    id: newId(),
    kind,
    paymentRequestId: paymentRequest?.id ?? null,
    details: {
      ...details,
      askedCents: paymentRequest?.amountCents,
      arrivedCents: amountCents,
      networkReference,
      // `planLocked` has no others, so that both open one case.
      ...(kind !== 'AMOUNT_MISMATCH' && { currency, institution }),
    },
    openedAt: clock.now(),
  });
  return { ...NOTHING_DONE, ...(isNew && { caseKind: kind }) };
}
