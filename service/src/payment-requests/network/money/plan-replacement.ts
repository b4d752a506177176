import { partReference } from '#e-transfer/money-parts.ts';
import { entryOf, type PlannedEntry } from '#payment-requests/model/money/movements.ts';
import { isCounted } from '#payment-requests/model/money/waiting.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import {
  hasPartCase,
  type NewOperatorCase,
  type Plan,
  paymentRequestAt,
  planPassedExpiry,
  planSums,
  unchanged,
} from '#payment-requests/model/plan-change.ts';
import type { KnownMovement } from './movement-index.ts';
import { type Arrival, type ArrivalOutcome, planArrival, secondPayment } from './plan-arrival.ts';

/** REDUCED: less than before has arrived for a payment request that stays PAID. */
export type ReplacementOutcome = ArrivalOutcome | 'REDUCED';

export interface Replacement {
  /** The earlier booking, which never was the bank's last word. */
  readonly old: KnownMovement;
  /** The corrected booking, which waits for an operator. */
  readonly corrected: KnownMovement & Arrival['movement'];
  readonly institution: string | null;
  /** ISO 4217: the deployment's one currency. */
  readonly currency: string;
}

export interface PlannedReplacement {
  readonly outcome: ReplacementOutcome;
  readonly plan: Plan;
}

/**
 * Plans that a corrected booking takes the place of an earlier one (decision 0115). The ledger
 * keeps both, and an ADJUSTMENT takes the earlier one out. A payment request that is not PAID
 * follows the table of bank-transfer §4 with the corrected sum. PAID stays: a difference is a case.
 * Pure.
 */
export function planReplacement(
  locked: PaymentRequest,
  replacement: Replacement,
  now: Date,
): PlannedReplacement {
  const { old, corrected } = replacement;
  const wasCounted = isCounted(old);
  if (wasCounted && locked.payment !== null) {
    return corrected.amountCents < old.amountCents
      ? planLess(locked, replacement)
      : planMore(locked, replacement);
  }
  const without = wasCounted ? withReceived(locked, -old.amountCents) : locked;
  const { outcome, plan } = planArrival(without, arrivalOf(replacement), now);
  const isCountedNow = outcome === 'PAID' || outcome === 'PART';
  const entries = [
    adjustment(old, wasCounted ? locked.id : null),
    // Money that still waits stays where it is.
    ...(isCountedNow ? [leaving(corrected), ...plan.entries] : []),
  ];
  if (isCountedNow || !wasCounted) {
    const closesPartCase = hasPartCase(paymentRequestAt(locked, now));
    return { outcome, plan: { ...plan, entries, closesPartCase } };
  }
  const before = planPassedExpiry(locked, now);
  const changed = planSums(before, {
    after: withReceived(before.paymentRequest, -old.amountCents),
    webhook: null,
    entries,
    note: noteOf(old.amountCents),
  });
  const operatorCases = [...changed.operatorCases, ...plan.operatorCases];
  return { outcome, plan: { ...changed, operatorCases } };
}

function planLess(locked: PaymentRequest, replacement: Replacement): PlannedReplacement {
  const { old, corrected, currency } = replacement;
  const lessCents = old.amountCents - corrected.amountCents;
  const plan = planSums(unchanged(locked), {
    after: withReceived(locked, -lessCents),
    webhook: 'PAYMENT-RETURNED',
    entries: [adjustment(old, locked.id), ...moved(locked, corrected)],
    note: noteOf(lessCents),
  });
  const { networkReference } = corrected;
  const operatorCase: NewOperatorCase = {
    kind: 'MONEY_RETURNED',
    paymentRequestId: locked.id,
    merchantId: locked.merchant.id,
    details: {
      askedCents: locked.amountCents,
      returnedCents: lessCents,
      ...{ networkReference, currency, reason: REASON },
    },
  };
  const operatorCases = [...plan.operatorCases, operatorCase];
  return { outcome: 'REDUCED', plan: { ...plan, operatorCases } };
}

/** The payment keeps its sum as a part, and the rest waits beside it. */
function planMore(locked: PaymentRequest, replacement: Replacement): PlannedReplacement {
  const { old, corrected } = replacement;
  const { networkReference } = corrected;
  const kept = {
    ...corrected,
    networkReference: partReference(networkReference, 1),
    amountCents: old.amountCents,
  };
  const rest = {
    ...corrected,
    networkReference: partReference(networkReference, 2),
    amountCents: corrected.amountCents - old.amountCents,
  };
  const entryFor = (movement: KnownMovement, paymentRequestId: string | null) =>
    entryOf({ type: 'ASSIGNED', movement, merchantId: locked.merchant.id, paymentRequestId });
  const plan: Plan = {
    ...unchanged(locked),
    outcome: 'HELD_FOR_OPERATOR',
    entries: [
      adjustment(old, locked.id),
      leaving(corrected),
      entryFor(kept, locked.id),
      entryFor(rest, null),
    ],
    operatorCases: [secondPayment(locked, { ...arrivalOf(replacement), movement: rest })],
  };
  return { outcome: 'SECOND', plan };
}

/** The reason in cases and timelines: no bank has taken money back. */
const REASON = 'CORRECTED_BOOKING';

function noteOf(amountCents: number) {
  return { type: 'MONEY_RETURNED', details: { amountCents, reason: REASON } } as const;
}

function withReceived(paymentRequest: PaymentRequest, changeCents: number): PaymentRequest {
  const received = paymentRequest.sums.receivedCents + changeCents;
  return { ...paymentRequest, sums: { ...paymentRequest.sums, receivedCents: received } };
}

/** The earlier booking leaves the books on its own booking day. */
export function adjustment(old: KnownMovement, paymentRequestId: string | null): PlannedEntry {
  const { merchantId, currency } = old;
  return entryOf({
    ...{ type: 'ADJUSTMENT', movement: old, merchantId, paymentRequestId, sign: -1 },
    ...(currency !== null && { currency }),
  });
}

/** Money leaves the place where it waits. */
export function leaving(movement: KnownMovement): PlannedEntry {
  return { ...waitingPart(movement), amountCents: -movement.amountCents };
}

/** A part waits under a reference of its own. */
export function waitingPart(movement: KnownMovement): PlannedEntry {
  const { merchantId } = movement;
  return entryOf({ type: 'ASSIGNED', movement, merchantId, paymentRequestId: null });
}

function moved({ id, merchant }: PaymentRequest, movement: KnownMovement): PlannedEntry[] {
  const to = entryOf({
    ...{ type: 'ASSIGNED', movement, merchantId: merchant.id, paymentRequestId: id },
  });
  return [leaving(movement), to];
}

function arrivalOf({ corrected, institution, currency }: Replacement): Arrival {
  return { movement: corrected, at: corrected.at, institution, currency };
}
