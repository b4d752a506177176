import type { Executor } from '#database/database.ts';
import type { NetworkOutcome, NetworkReport, Verdict } from '#e-transfer/e-transfer-network.ts';
import { newId } from '#lib/new-id.ts';
import type { Log } from '#telemetry/log.ts';
import type { NetworkMetrics } from '#telemetry/network-metrics.ts';
import { canStillBePaid } from './can-still-be-paid.ts';
import {
  type MoveDeps,
  planLocked,
  tellOfMoves,
  type UncommittedMove,
} from './move-payment-request.ts';
import { type OperatorCase, openOperatorCase } from './operator-case-store.ts';
import { type Cause, type PaymentRequest, paymentRequestAt } from './payment-request.ts';
import { lockPaymentRequest } from './payment-request-move-store.ts';
import { writeMovesInOrder } from './write-moves.ts';

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
  /** Opened in the same transaction. */
  readonly caseKind?: OperatorCase['kind'];
}

const NOTHING_DONE: Taken = { verdict: 'NOT_TAKEN', moves: [] };

/**
 * Takes what the network reports or says when it is asked (contract §5): once, twice, late or in
 * the wrong order. Money whose amount or currency is not the one asked for, that is a second
 * payment or for nothing we know becomes an operator's case with an alert.
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
    const judged = await judgeReport(tx, deps, locked, report);
    await writeMovesInOrder(tx, deps, judged.moves);
    return judged;
  });
  tellOfReport(deps, report, taken);
  return taken.verdict;
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
 * @returns what is made of it, with the moves that are still to be written.
 */
export async function judgeReport(
  tx: Executor,
  deps: NetworkReportDeps,
  locked: PaymentRequest,
  { outcome, isRevocable }: NetworkReport,
): Promise<Taken> {
  const current = paymentRequestAt(locked, deps.clock.now());
  if (standsAsReported(current, outcome)) return { verdict: 'TAKEN', moves: [] };
  if (isRevocable && !(await canStillBePaid(tx, current))) {
    // An expiry that is only judged so far is written down on this occasion.
    const { moves } = await planLocked(tx, deps, locked, { name: 'EXPIRY_PASSED' });
    return { verdict: 'NOT_TAKEN', moves };
  }
  if (outcome.state === 'SUCCEEDED') {
    if (current.status === 'PAID') return openCase(tx, deps, 'SECOND_PAYMENT', outcome, current);
    if (outcome.currency !== deps.currency) {
      return openCase(tx, deps, 'CURRENCY_MISMATCH', outcome, current);
    }
  }
  const { result, moves } = await planLocked(tx, deps, locked, causeOf(outcome));
  if (result.outcome === 'MOVED') return { verdict: 'TAKEN', moves };
  const isHeld = result.outcome === 'HELD_FOR_OPERATOR';
  return { verdict: 'NOT_TAKEN', moves, ...(isHeld && { caseKind: 'AMOUNT_MISMATCH' }) };
}

/** Whether a report tells nothing new: it came twice, or after one that says more. */
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
  return openCase(tx, deps, 'UNKNOWN_PAYMENT_REQUEST', outcome, null, { paymentRequestId });
}

async function openCase(
  tx: Executor,
  { clock }: NetworkReportDeps,
  kind: OperatorCase['kind'],
  { amountCents, currency, networkReference, institution }: Succeeded,
  paymentRequest: PaymentRequest | null,
  details: Readonly<Record<string, unknown>> = {},
): Promise<Taken> {
  const isNew = await openOperatorCase(tx, {
    id: newId(),
    kind,
    paymentRequestId: paymentRequest?.id ?? null,
    details: {
      ...details,
      askedCents: paymentRequest?.amountCents,
      arrivedCents: amountCents,
      currency,
      networkReference,
      institution,
    },
    openedAt: clock.now(),
  });
  return { ...NOTHING_DONE, ...(isNew && { caseKind: kind }) };
}
