import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';
import type { Cause, Payment, PaymentRequest, StatusReason } from './payment-request.ts';
import { findTransition, STATUS_REASONS, type Transition } from './statuses.ts';

/** A permitted change of status, with the payment request before and after it. */
export interface PlannedChange {
  readonly before: PaymentRequest;
  readonly cause: Cause;
  readonly transition: Transition;
  readonly after: PaymentRequest;
}

/** A matter of money that only an operator can settle. */
export interface NewOperatorCase {
  readonly kind: OperatorCaseKind;
  readonly paymentRequestId: string | null;
  /** Cases of one kind and payment request are equal when their details are. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The consequences of a cause, not written yet. */
export interface Plan {
  readonly outcome:
    | 'CHANGED'
    /** The table has no transition for the cause in this status. */
    | 'REFUSED'
    /** The case waits for an operator. */
    | 'HELD_FOR_OPERATOR';
  /** The payment request once the plan is written. */
  readonly paymentRequest: PaymentRequest;
  /** In their order. There are at most two: a passed expiry comes before the cause's own change. */
  readonly changes: readonly PlannedChange[];
  readonly operatorCase: NewOperatorCase | null;
}

/**
 * Plans the change of status that a cause brings, by the table of transitions (contract §5).
 * Writes nothing. An expiry that has passed comes first, though no timer has written it yet.
 */
export function planChange(locked: PaymentRequest, cause: Cause, now: Date): Plan {
  const expiry = planExpiry(locked, now);
  const current = expiry?.after ?? locked;
  const plan: Plan = {
    outcome: 'REFUSED',
    paymentRequest: current,
    changes: expiry ? [expiry] : [],
    operatorCase: null,
  };
  if (cause.name === 'EXPIRY_PASSED') return expiry ? { ...plan, outcome: 'CHANGED' } : plan;
  const transition = findTransition(current.status, cause.name);
  if (!transition) return plan;
  if (cause.name === 'PAYMENT_SUCCEEDED' && cause.amountCents !== current.amountCents) {
    return { ...plan, outcome: 'HELD_FOR_OPERATOR', operatorCase: amountMismatch(current, cause) };
  }
  const after = applyTransition(current, cause, transition, now);
  const change = { before: current, cause, transition, after };
  const changes = [...plan.changes, change];
  return { outcome: 'CHANGED', paymentRequest: after, changes, operatorCase: null };
}

/** The expiry that has passed and is not written yet; null when there is none. */
export function planExpiry(before: PaymentRequest, now: Date): PlannedChange | null {
  if (before.expiresAt > now) return null;
  const cause: Cause = { name: 'EXPIRY_PASSED' };
  const transition = findTransition(before.status, cause.name);
  if (!transition) return null;
  const after = applyTransition(before, cause, transition, before.expiresAt);
  return { before, cause, transition, after };
}

/** Money of another amount than the one asked for is a case for an operator (contract §5). */
export function amountMismatch(
  { id, amountCents }: PaymentRequest,
  money: { readonly amountCents: number; readonly networkReference: string },
): NewOperatorCase {
  return {
    kind: 'AMOUNT_MISMATCH',
    paymentRequestId: id,
    details: {
      askedCents: amountCents,
      arrivedCents: money.amountCents,
      networkReference: money.networkReference,
    },
  };
}

function applyTransition(
  before: PaymentRequest,
  cause: Cause,
  transition: Transition,
  at: Date,
): PaymentRequest {
  const last = before.events.at(-1)?.occurredAt ?? at;
  // Two machines' clocks may differ by a little; a list of events never runs backwards.
  const occurredAt = at < last ? last : at;
  return {
    ...before,
    status: transition.to,
    statusReason: reasonAfter(before, cause, transition),
    paidLate: transition.paidLate ?? before.paidLate,
    payment: transition.payment === 'SET' ? paymentOf(cause) : before.payment,
    version: before.version + 1,
    webhookSequence: before.webhookSequence + (transition.webhook ? 1 : 0),
    events: [...before.events, { status: transition.to, occurredAt }],
  };
}

function reasonAfter(
  before: PaymentRequest,
  cause: Cause,
  { reason }: Transition,
): StatusReason | null {
  if (reason === 'KEPT') return before.statusReason;
  if (reason === 'CLEARED') return null;
  const code = reason === 'SET' ? refusalOf(cause) : reason;
  return { code, message: STATUS_REASONS[code] };
}

function paymentOf(cause: Cause): Payment {
  if (cause.name !== 'PAYMENT_SUCCEEDED') throw new Error(`${cause.name} brings no payment`);
  const { institution, networkReference, completedAt } = cause;
  return { institution, networkReference, completedAt };
}

function refusalOf(cause: Cause) {
  if (cause.name !== 'PAYMENT_REFUSED') throw new Error(`${cause.name} brings no reason`);
  return cause.reasonCode;
}
