import type { MoneyMovement } from '#e-transfer/network-money.ts';
import { entryOf } from '#payment-requests/model/money/movements.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import {
  amountMismatch,
  type NewOperatorCase,
  type Plan,
  paymentRequestAt,
  planChange,
  planPassedExpiry,
  planSums,
  unchanged,
} from '#payment-requests/model/plan-change.ts';

/** The fate of money that an operator gives to a payment request (bank-transfer §4). */
export type ArrivalOutcome = 'PAID' | 'PART' | 'MISMATCH' | 'SECOND';

/** Money that an operator gives to a payment request. */
export interface Arrival {
  readonly movement: MoneyMovement;
  /** When it arrived. */
  readonly at: Date;
  /** null: unknown. */
  readonly institution: string | null;
  /** ISO 4217. */
  readonly currency: string;
}

export interface PlannedArrival {
  readonly outcome: ArrivalOutcome;
  /** Its entries are what the money becomes; the caller adds what it was. */
  readonly plan: Plan;
}

const UNKNOWN_INSTITUTION = 'Unknown';

/**
 * Plans money for a payment request by the table of bank-transfer §4: PAID when the sum is exact, a
 * part when it is less, a case when it is more or when the payment request is PAID already. Money
 * of a case waits: an entry of no payment request. Pure.
 */
export function planArrival(locked: PaymentRequest, arrival: Arrival, now: Date): PlannedArrival {
  const { movement, at, currency } = arrival;
  const current = paymentRequestAt(locked, now);
  const { amountCents, networkReference } = movement;
  const merchantId = current.merchant.id;
  const entryFor = (paymentRequestId: string | null) =>
    entryOf({ type: 'ASSIGNED', movement, merchantId, paymentRequestId, currency });
  const waiting = (operatorCase: NewOperatorCase): Plan => ({
    ...unchanged(locked),
    outcome: 'HELD_FOR_OPERATOR',
    entries: [entryFor(null)],
    operatorCases: [operatorCase],
  });
  if (current.payment !== null) {
    return { outcome: 'SECOND', plan: waiting(secondPayment(current, arrival)) };
  }
  const sumCents = heldCents(current) + amountCents;
  const entries = [entryFor(current.id)];
  const institution = arrival.institution ?? UNKNOWN_INSTITUTION;
  if (sumCents === current.amountCents) {
    const plan = planChange(
      locked,
      {
        name: 'PAYMENT_SUCCEEDED',
        ...{ amountCents: sumCents, institution, networkReference, entries },
        completedAt: at,
        isAccepted: true,
      },
      now,
    );
    return { outcome: 'PAID', plan };
  }
  if (sumCents > current.amountCents) {
    const found = amountMismatch(current, { amountCents: sumCents, networkReference });
    const details = { ...found.details, ...detailsOf(arrival) };
    return { outcome: 'MISMATCH', plan: waiting({ ...found, details }) };
  }
  const plan = planPassedExpiry(locked, now);
  const before = plan.paymentRequest;
  const received = before.sums.receivedCents + amountCents;
  const changed = planSums(plan, {
    after: { ...before, sums: { ...before.sums, receivedCents: received } },
    webhook: null,
    entries,
    note: { type: 'PART_RECEIVED', details: { amountCents, receivedCents: received } },
  });
  return { outcome: 'PART', plan: changed };
}

/** Money that came beside the payment waits for an operator. */
export function secondPayment(
  { id, amountCents, merchant }: PaymentRequest,
  arrival: Arrival,
): NewOperatorCase {
  const { networkReference, amountCents: arrivedCents } = arrival.movement;
  return {
    kind: 'SECOND_PAYMENT',
    paymentRequestId: id,
    merchantId: merchant.id,
    details: { askedCents: amountCents, arrivedCents, networkReference, ...detailsOf(arrival) },
  };
}

function detailsOf({ currency, institution }: Arrival) {
  return { currency, ...(institution !== null && { institution }) };
}
