import type { NetworkOutcome, Verdict } from '#e-transfer/e-transfer-network.ts';
import { entryOf } from '#payment-requests/model/money/movements.ts';
import { isCounted, isGone } from '#payment-requests/model/money/waiting.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import {
  type MoneyNote,
  type NewOperatorCase,
  type Plan,
  planSums,
} from '#payment-requests/model/plan-change.ts';
import type { MovementIndex } from './movement-index.ts';

type Returned = Extract<NetworkOutcome, { state: 'RETURNED' }>;

/** The effect of a report of the network. */
export interface Decision {
  /** TAKEN when the payment request stands as reported, now or before. */
  readonly verdict: Verdict;
  readonly plan: Plan;
}

interface ReturnFacts {
  readonly currency: string;
  readonly money: MovementIndex;
}

/**
 * Decides about money that was taken back (contract §11): a payment request that was ever PAID
 * stays PAID, its merchant gets an event and an operator a case. A part of an unpaid payment
 * request only lowers the sum. Money that was no part of the sums leaves them as they are.
 *
 * @param plan the payment request with its passed expiry.
 */
export function decideReturn(plan: Plan, outcome: Returned, facts: ReturnFacts): Decision {
  const { returns, incoming } = facts.money;
  const { paymentRequest: before } = plan;
  if (returns.has(outcome.movement.networkReference)) return { verdict: 'TAKEN', plan };
  const undone = outcome.returnedReference ? incoming.get(outcome.returnedReference) : undefined;
  if (undone && isGone(undone) && undone.type === 'ASSIGNED') {
    return { verdict: 'TAKEN', plan: heldForSplit(plan, outcome) };
  }
  const isOurs = !undone || (isCounted(undone) && undone.paymentRequestId === before.id);
  return {
    verdict: 'TAKEN',
    plan:
      outcome.currency === facts.currency && isOurs
        ? takenFromSums(plan, outcome)
        : {
            ...plan,
            outcome: 'HELD_FOR_OPERATOR',
            entries: [returnEntry(before, outcome, null)],
            operatorCases: [...plan.operatorCases, returnedCase(before, outcome)],
          },
  };
}

/**
 * The whole of a split transfer was taken back: only a person can say of which parts. The ledger
 * has no entry until then, as for every debit of a case REFUNDED_OUTSIDE.
 */
function heldForSplit(plan: Plan, outcome: Returned): Plan {
  const { movement, currency, returnedReference, reason } = outcome;
  const { networkReference, amountCents, bankReference, bookingDate } = movement;
  const { merchant } = plan.paymentRequest;
  const details = {
    ...{ networkReference, arrivedCents: amountCents, currency, returnedReference },
    ...(bankReference !== null && { bankReference }),
    ...(bookingDate !== null && { bookingDate }),
    ...(reason !== null && { reason }),
  };
  const kind = 'REFUNDED_OUTSIDE';
  const operatorCase = { kind, paymentRequestId: null, merchantId: merchant.id, details } as const;
  return {
    ...plan,
    outcome: 'HELD_FOR_OPERATOR',
    operatorCases: [...plan.operatorCases, operatorCase],
  };
}

function takenFromSums(plan: Plan, outcome: Returned): Plan {
  const before = plan.paymentRequest;
  const { sums, payment } = before;
  const wasPaid = payment !== null;
  const { amountCents } = outcome.movement;
  const after: PaymentRequest = {
    ...before,
    sums: { ...sums, returnedCents: sums.returnedCents + amountCents },
  };
  const details = { amountCents, ...(outcome.reason !== null && { reason: outcome.reason }) };
  const note: MoneyNote = { type: 'MONEY_RETURNED', details };
  const changed = planSums(plan, {
    after,
    // A merchant without an event of the money gets none of its way back.
    webhook: wasPaid ? 'PAYMENT-RETURNED' : null,
    entries: [returnEntry(before, outcome, before.id)],
    note,
  });
  // Without a part that it undoes, the money is missing somewhere else.
  const isExplained = !wasPaid && amountCents <= sums.receivedCents - sums.returnedCents;
  if (isExplained) return changed;
  return { ...changed, operatorCases: [...changed.operatorCases, returnedCase(before, outcome)] };
}

function returnEntry(
  { merchant }: PaymentRequest,
  { movement, currency }: Returned,
  paymentRequestId: string | null,
) {
  const merchantId = merchant.id;
  return entryOf({ type: 'RETURN', movement, merchantId, paymentRequestId, currency, sign: -1 });
}

function returnedCase(
  { id, amountCents, merchant }: PaymentRequest,
  { movement, currency, returnedReference, reason }: Returned,
): NewOperatorCase {
  return {
    kind: 'MONEY_RETURNED',
    paymentRequestId: id,
    merchantId: merchant.id,
    details: {
      askedCents: amountCents,
      returnedCents: movement.amountCents,
      networkReference: movement.networkReference,
      currency,
      ...(returnedReference !== null && { returnedReference }),
      ...(reason !== null && { reason }),
    },
  };
}
