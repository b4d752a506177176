import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';
import type { WebhookEventType } from '#webhooks/model/event-types.ts';
import type { Cause } from './cause.ts';
import {
  bareMovement,
  countedCents,
  type PlannedEntry,
  paymentEntries,
} from './money/movements.ts';
import { heldCents } from './money/sums.ts';
import type { Payment, PaymentRequest, StatusReason } from './payment-request.ts';
import { findTransition, STATUS_FACTS, STATUS_REASONS, type Transition } from './statuses.ts';

/** A permitted change of status, with the payment request before and after it. */
export interface PlannedMove {
  readonly before: PaymentRequest;
  readonly cause: Cause;
  readonly transition: Transition;
  readonly after: PaymentRequest;
  /** The webhook event to the merchant. */
  readonly webhook: WebhookEventType | null;
}

/** A change of a payment request's sums; its status stays. */
export interface PlannedSums {
  readonly before: PaymentRequest;
  readonly cause: null;
  readonly transition: null;
  readonly after: PaymentRequest;
  readonly webhook: WebhookEventType | null;
}

export type PlannedChange = PlannedMove | PlannedSums;

/** A matter of money that only an operator can settle. */
export interface NewOperatorCase {
  readonly kind: OperatorCaseKind;
  readonly paymentRequestId: string | null;
  /** null: no merchant can be named. */
  readonly merchantId: string | null;
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
  readonly operatorCases: readonly NewOperatorCase[];
  /** The movements of money, for the ledger. */
  readonly entries: readonly PlannedEntry[];
  /** The case of the parts that had arrived before is out of date, or settled. */
  readonly closesPartCase: boolean;
  /** A movement of money that changed no status, for the timeline. */
  readonly note: MoneyNote | null;
}

/** An entry of the timeline about money that changed no status. */
export type MoneyNote =
  | {
      readonly type: 'PART_RECEIVED';
      readonly details: { readonly amountCents: number; readonly receivedCents: number };
    }
  | {
      readonly type: 'MONEY_RETURNED';
      readonly details: { readonly amountCents: number; readonly reason?: string };
    };

/** A plan that changes nothing. */
export function unchanged(paymentRequest: PaymentRequest): Plan {
  return {
    outcome: 'REFUSED',
    paymentRequest,
    changes: [],
    operatorCases: [],
    entries: [],
    closesPartCase: false,
    note: null,
  };
}

/**
 * Plans the change of status that a cause brings, by the table of transitions (contract §5).
 * Writes nothing. An expiry that has passed comes first, though no timer has written it yet.
 */
export function planChange(locked: PaymentRequest, cause: Cause, now: Date): Plan {
  const plan = planPassedExpiry(locked, now);
  const current = plan.paymentRequest;
  if (cause.name === 'EXPIRY_PASSED') return plan;
  const refused: Plan = { ...plan, outcome: 'REFUSED' };
  const transition = findTransition(current.status, cause.name);
  if (!transition) return refused;
  if (cause.name === 'PAYMENT_SUCCEEDED') return planPayment(refused, cause, transition, now);
  const move = planMove(current, cause, transition, now);
  const operatorCases = [...plan.operatorCases, ...partCases(move.after)];
  const changes = [...plan.changes, move];
  return { ...plan, outcome: 'CHANGED', paymentRequest: move.after, changes, operatorCases };
}

/** The money arrives that makes a payment request PAID, with its entries in the ledger. */
function planPayment(
  plan: Plan,
  cause: Extract<Cause, { name: 'PAYMENT_SUCCEEDED' }>,
  transition: Transition,
  now: Date,
): Plan {
  const current = plan.paymentRequest;
  const movements = [bareMovement(cause.networkReference, cause.amountCents)];
  if (cause.amountCents !== current.amountCents && !cause.isAccepted) {
    const operatorCases = [...plan.operatorCases, amountMismatch(current, cause)];
    return { ...plan, outcome: 'HELD_FOR_OPERATOR', operatorCases };
  }
  const entries = cause.entries ?? paymentEntries(current, movements);
  const sums = {
    ...current.sums,
    receivedCents: current.sums.receivedCents + countedCents(entries, current.id),
  };
  const move = planMove({ ...current, sums }, cause, transition, now);
  return {
    ...plan,
    outcome: 'CHANGED',
    paymentRequest: move.after,
    changes: [...plan.changes, { ...move, before: current }],
    entries,
    // The parts are no matter of an operator any more.
    operatorCases: [],
    closesPartCase: hasPartCase(current),
  };
}

/** The expiry that has passed and is not written yet, with its consequences. */
export function planPassedExpiry(locked: PaymentRequest, now: Date): Plan {
  const expiry = planExpiry(locked, now);
  if (!expiry) return unchanged(locked);
  return {
    ...unchanged(expiry.after),
    outcome: 'CHANGED',
    changes: [expiry],
    operatorCases: partCases(expiry.after),
  };
}

export interface SumsChange {
  /** The payment request with its new sums. */
  readonly after: PaymentRequest;
  readonly webhook: WebhookEventType | null;
  readonly entries: readonly PlannedEntry[];
  readonly note: MoneyNote;
}

/** Adds a change of sums, without a change of status, to a plan. */
export function planSums(plan: Plan, { after, webhook, entries, note }: SumsChange): Plan {
  const before = plan.paymentRequest;
  const paymentRequest = {
    ...after,
    version: before.version + 1,
    webhookSequence: before.webhookSequence + (webhook ? 1 : 0),
  };
  const change = { before, cause: null, transition: null, after: paymentRequest, webhook };
  // The case of the parts names the movement: a sum that comes twice is a case each time.
  const reference = entries.at(-1)?.networkReference;
  return {
    ...plan,
    outcome: 'CHANGED',
    paymentRequest,
    changes: [...plan.changes, change],
    entries,
    operatorCases: partCases(paymentRequest, reference),
    closesPartCase: hasPartCase(before),
    note,
  };
}

/** Parts of the amount for a payment request that is over and not PAID (contract §11). */
function partCases(after: PaymentRequest, networkReference?: string | null): NewOperatorCase[] {
  if (!hasPartCase(after)) return [];
  const details = {
    askedCents: after.amountCents,
    receivedCents: heldCents(after),
    ...(networkReference && { networkReference }),
  };
  const { id: paymentRequestId, merchant } = after;
  return [{ kind: 'PART_PAYMENT', paymentRequestId, merchantId: merchant.id, details }];
}

/** Whether parts of the amount have arrived for a payment request that is over. */
export function hasPartCase(p: PaymentRequest): boolean {
  return STATUS_FACTS[p.status].isOver && p.payment === null && heldCents(p) > 0;
}

/**
 * The payment request as it is at `now`: an expiry that has passed counts, written or not. So no
 * status is wrong between two runs of the timer (contract §4, Read). Equal to the timer's writing.
 */
export function paymentRequestAt(paymentRequest: PaymentRequest, now: Date): PaymentRequest {
  return planExpiry(paymentRequest, now)?.after ?? paymentRequest;
}

/** The expiry that has passed and is not written yet; null when there is none. */
export function planExpiry(before: PaymentRequest, now: Date): PlannedMove | null {
  if (before.expiresAt > now) return null;
  const cause: Cause = { name: 'EXPIRY_PASSED' };
  const transition = findTransition(before.status, cause.name);
  if (!transition) return null;
  return planMove(before, cause, transition, before.expiresAt);
}

function planMove(
  before: PaymentRequest,
  cause: Cause,
  transition: Transition,
  at: Date,
): PlannedMove {
  const after = applyTransition(before, cause, transition, at);
  return { before, cause, transition, after, webhook: transition.webhook };
}

/** Money of another amount than the one asked for is a case for an operator (contract §5). */
export function amountMismatch(
  { id, merchant, amountCents }: PaymentRequest,
  money: { readonly amountCents: number; readonly networkReference: string },
): NewOperatorCase {
  return {
    kind: 'AMOUNT_MISMATCH',
    paymentRequestId: id,
    merchantId: merchant.id,
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
