import type { Executor } from '#database/database.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { acceptMoney } from '#payment-requests/network/money/settle-money.ts';
import { recordOutsideRefund } from '#refunds/create/create-operator-refund.ts';
import { applyBooking } from '#refunds/operator/apply-booking.ts';
import { movementIn, referencesOf, textIn } from './model/operator-case.ts';
import { refuseUnsettled } from './refuse-unsettled.ts';
import {
  type LockedCase,
  type SettleDeps,
  type Settled,
  type SettledCase,
  type SettlingDeps,
  settleCase,
} from './settle-case.ts';

/**
 * Accepts a case as the facts are: the payment request becomes PAID with the money that truly
 * arrived, or a refund that the merchant's bank made becomes a COMPLETED refund.
 *
 * @throws OperatorFault as `settleCase`, and when the money does not wait any more
 */
export function acceptCase(
  deps: SettleDeps,
  id: string,
  note: string | null,
): Promise<SettledCase> {
  const options = { settlement: 'ACCEPTED', target: null, note } as const;
  return settleCase(deps, id, options, async (tx, settling, found) => {
    const { operatorCase, paymentRequest } = found;
    if (operatorCase.kind === 'REFUND_AMOUNT') return acceptBooking(tx, settling, operatorCase);
    if (!paymentRequest) throw new Refusal('case.noRequest', { id });
    if (operatorCase.kind === 'REFUNDED_OUTSIDE') return acceptRefund(tx, settling, found);
    // The case PART_PAYMENT is accepted with all parts.
    const isOfParts = operatorCase.kind === 'PART_PAYMENT';
    const networkReferences = isOfParts ? [] : referencesOf(operatorCase);
    const institution = textIn(operatorCase, 'institution');
    const money = { paymentRequestId: paymentRequest.id, networkReferences, institution };
    return refuseUnsettled(await acceptMoney(tx, settling, money));
  });
}

/** The bank executed the refunds, or took them back: its charges are the difference. */
async function acceptBooking(
  tx: Executor,
  deps: SettlingDeps,
  operatorCase: LockedCase['operatorCase'],
): Promise<Settled> {
  const { details } = operatorCase;
  const [networkReference = operatorCase.id] = referencesOf(operatorCase);
  const { bookedCents, refundIds } = details;
  const named = Array.isArray(refundIds) ? refundIds : [textIn(operatorCase, 'refundId')];
  const ids = named.filter((each): each is string => typeof each === 'string');
  // The ledger has the money that came back, and the difference as charges.
  if (details.isBooked === true) {
    return { outcome: 'CHARGES_ACCEPTED', audited: { refundIds: ids }, publish() {} };
  }
  if (typeof bookedCents !== 'number') throw new Refusal('case.noAmount');
  const direction = details.direction === 'CREDIT' ? 'CREDIT' : 'DEBIT';
  const { refunds, publish } = await applyBooking(tx, deps, {
    refundIds: ids,
    direction,
    bookedCents,
    movement: movementIn(operatorCase, networkReference),
    completedAt: operatorCase.openedAt,
  });
  const outcome = direction === 'DEBIT' ? 'REFUND_COMPLETED' : 'REFUND_RETURNED';
  return { outcome, audited: { refundIds: refunds.map((r) => r.id) }, publish };
}

/** The merchant's bank gave the money back: a fact, which no amount refuses. */
export async function acceptRefund(
  tx: Executor,
  deps: SettlingDeps,
  { operatorCase, paymentRequest }: LockedCase,
): Promise<Settled> {
  const { id, details, openedAt } = operatorCase;
  const [networkReference] = referencesOf(operatorCase);
  const { arrivedCents } = details;
  if (!paymentRequest || networkReference === undefined || typeof arrivedCents !== 'number') {
    throw new Refusal('case.noRefund', { id });
  }
  const { refunds, publish } = await recordOutsideRefund(tx, deps, {
    paymentRequestId: paymentRequest.id,
    amountCents: arrivedCents,
    isOfPayment: true,
    movementReference: null,
    operatorCaseId: id,
    movement: movementIn(operatorCase, networkReference),
    completedAt: openedAt,
  });
  return { outcome: 'REFUND_RECORDED', audited: { refundIds: refunds.map((r) => r.id) }, publish };
}
