import type { Database } from '#database/database.ts';
import type { NetworkListener, NetworkOutcome } from '../../e-transfer-network.ts';
import type { BankFee, MoneyMovement, UnmatchedMoney } from '../../network-money.ts';
import { notifyOfTransferChanges } from '../request-store.ts';
import { findUnreported, markReported, type UnreportedMovement } from './report-store.ts';
import { keepOutcomes, type PaidTransfer } from './request-store.ts';

/** The payment requests take 100 reports in one transaction. */
const REPORTS_AT_ONCE = 100;

export interface ReportMovementsDeps {
  readonly db: Database;
  readonly listener: NetworkListener;
}

/**
 * Reports decided movements, oldest first. A stop between a report and its mark repeats the report:
 * the payment requests take each network reference once, in any order.
 *
 * @returns whether more may wait
 * @throws the first error of a report that could not be written; the others are marked
 */
export async function reportNextMovements(deps: ReportMovementsDeps): Promise<boolean> {
  const movements = await findUnreported(deps.db, REPORTS_AT_ONCE);
  if (movements.length === 0) return false;
  const reports = await Promise.allSettled(movements.map((each) => report(deps, each)));
  await showPaid(
    deps,
    reports.flatMap((each) => (each.status === 'fulfilled' && each.value) || []),
  );
  const done = movements.filter((_, index) => reports[index]?.status === 'fulfilled');
  await markReported(
    deps.db,
    done.map(({ id }) => id),
  );
  const failed = reports.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return movements.length === REPORTS_AT_ONCE;
}

/**
 * Reports run side by side, and each reaches its payment request in the order of the movements: a
 * return must not overtake its payment. So the charges come last.
 *
 * @returns the payment that the money has made, if its payment request is PAID with it; null: none
 */
async function report(
  deps: ReportMovementsDeps,
  movement: UnreportedMovement,
): Promise<PaidTransfer | null> {
  const paid = await reportMoney(deps, movement);
  if (movement.feeCents > 0) await deps.listener.reportFee(feeOf(movement));
  return paid;
}

/**
 * The sum is decided by the payment requests: they know of money that was given back, and of money
 * that an operator has assigned.
 */
async function reportMoney(
  { listener }: ReportMovementsDeps,
  movement: UnreportedMovement,
): Promise<PaidTransfer | null> {
  const { paymentRequestId } = movement;
  const money = moneyOutcomeOf(movement);
  if (money && paymentRequestId !== null) {
    const verdict = await listener.report({ paymentRequestId, outcome: money, isRevocable: false });
    const hasArrived = verdict === 'TAKEN' && money.state !== 'RETURNED';
    return hasArrived ? { paymentRequestId, outcome: successOf(movement) } : null;
  }
  const unmatched = unmatchedOf(movement);
  if (unmatched) await listener.reportUnmatched(unmatched);
  return null;
}

/** The open pages then lead to the final page. A stop before the mark repeats it. */
async function showPaid({ db }: ReportMovementsDeps, paid: readonly PaidTransfer[]): Promise<void> {
  // Two movements of one payment request: the statement would write its row twice.
  const once = [...new Map(paid.map((each) => [each.paymentRequestId, each])).values()];
  if (once.length > 0) await notifyOfTransferChanges(db, await keepOutcomes(db, once));
}

/** null: no outcome of a payment request. */
function moneyOutcomeOf(
  movement: UnreportedMovement,
): Extract<NetworkOutcome, { state: 'SUCCEEDED' | 'PART_RECEIVED' | 'RETURNED' }> | null {
  const { currency, institution, bookedAt: completedAt } = movement;
  const own = movementIn(movement);
  switch (movement.outcome) {
    case 'EXACT':
    case 'EXCESS':
    case 'SECOND':
    case 'OTHER_CURRENCY':
      return successOf(movement);
    case 'PART':
      return {
        state: 'PART_RECEIVED',
        currency,
        movement: own,
        payment: { institution, completedAt },
      };
    case 'RETURNED': {
      const { returnedReference, returnedCents, returnReason: reason } = movement;
      const isMore = returnedCents !== null && returnedCents < own.amountCents;
      return {
        state: 'RETURNED',
        currency,
        movement: own,
        returnedReference,
        reason,
        ...(isMore && { isMore }),
      };
    }
    default:
      return null;
  }
}

/** The payment with this movement as its last one; a sum names its movements. */
function successOf(movement: UnreportedMovement): PaidTransfer['outcome'] {
  const { outcome, currency, institution, bookedAt: completedAt, networkReference } = movement;
  const isSum = outcome === 'EXACT' || outcome === 'EXCESS';
  return {
    state: 'SUCCEEDED',
    amountCents: (isSum ? movement.sumCents : null) ?? movement.amountCents,
    currency,
    institution,
    networkReference,
    completedAt,
    movements: isSum ? movement.summed : [movementIn(movement)],
  };
}

function unmatchedOf(movement: UnreportedMovement): UnmatchedMoney | null {
  const { outcome: kind, merchantId, paymentRequestId, currency, institution } = movement;
  switch (kind) {
    case 'UNMATCHED_MONEY':
    case 'WRONG_ACCOUNT':
    case 'AMBIGUOUS_REFERENCE':
    case 'AMOUNT_ABOVE_LIMIT':
    case 'REFUNDED_OUTSIDE':
      return {
        kind,
        merchantId,
        paymentRequestId,
        currency,
        institution,
        movement: movementIn(movement),
        candidates: movement.candidates,
        details: movement.details,
        correctedReferences: movement.correctedReferences,
      };
    default:
      return null;
  }
}

function feeOf(movement: UnreportedMovement): BankFee {
  const { feeCents, merchantId, paymentRequestId, currency } = movement;
  const fee = { ...movementIn(movement), amountCents: feeCents };
  return { movement: fee, merchantId, paymentRequestId, currency };
}

function movementIn(movement: UnreportedMovement): MoneyMovement {
  const { networkReference, amountCents, bankReference, bookingDate } = movement;
  return { networkReference, amountCents, bankReference, bookingDate };
}
