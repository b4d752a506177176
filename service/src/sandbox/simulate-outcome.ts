import type { Executor } from '#database/database.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { newId } from '#lib/new-id.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import type { ChangedRequest } from '#payment-requests/change/reply-once.ts';
import { findPaymentRequest } from '#payment-requests/lookup/find-store.ts';
import { bareMovement } from '#payment-requests/model/money/movements.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { isOpen, refusalOfStatus } from '#payment-requests/model/statuses.ts';
import { type ApplyReportDeps, applyLocked } from '#payment-requests/network/apply-report.ts';
import { type ChangeStatusDeps, changeLocked } from '#payment-requests/status/change-status.ts';
import { bringExpiryForward } from '#payment-requests/status/expiry-store.ts';
import { lockOwnPaymentRequest } from '#payment-requests/status/lock-own.ts';
import { type Action, isPossibleIn } from './outcomes.ts';
import { INSTITUTION, networkReferenceOf, simulatedCause } from './simulated-cause.ts';
import { SIMULATED_MONEY, SIMULATED_STATUSES, type SimulationBody } from './simulation-schemas.ts';

export interface AskedSimulation {
  readonly id: string;
  readonly body: Partial<SimulationBody>;
  /** The faults that the schema found in the body. */
  readonly faults: readonly FieldFault[];
}

type SimulatedStatus = (typeof SIMULATED_STATUSES)[number];

/** The step that gives a status, and the step that gives it late. */
const ACTIONS: Readonly<Record<SimulatedStatus, readonly [Action, Action?]>> = {
  PAID: ['SUCCEED', 'SUCCEED_LATE'],
  FAILED: ['REFUSE'],
  EXPIRED: ['EXPIRE'],
  PROCESSING: ['ACCEPT'],
};

/** The outcomes that a payment request allows now. */
export function possibleOutcomes(p: PaymentRequest) {
  const statuses = SIMULATED_STATUSES.filter((outcome) =>
    ACTIONS[outcome].some((action) => action && isPossibleIn(p.status, action)),
  );
  return [...statuses, ...SIMULATED_MONEY.filter((money) => centsOf(money, p) > 0)];
}

/**
 * Gives a sandbox payment request an outcome by hand, in the caller's transaction (contract §8).
 * The table of transitions decides: PAID is possible also after FAILED, EXPIRED and CANCELLED, for
 * money that arrives late.
 *
 * @throws Problem PAYMENT_REQUEST_NOT_FOUND, VALIDATION_ERROR, or the 409 of a status in which the
 *         outcome is not possible.
 */
export async function simulateOutcome(
  tx: Executor,
  deps: ApplyReportDeps,
  merchantId: string,
  { id, body, faults }: AskedSimulation,
): Promise<ChangedRequest> {
  const { outcome, reason } = checked<SimulationBody>(body, faults);
  const locked = await lockOwnPaymentRequest(tx, merchantId, id);
  if (outcome in ACTIONS) {
    return simulateStatus(tx, deps, locked, outcome as SimulatedStatus, reason);
  }
  return simulateMoney(tx, deps, locked, outcome as SimulatedMoney);
}

/** @throws Problem the 409 of a status in which the outcome is not possible. */
async function simulateStatus(
  tx: Executor,
  deps: ChangeStatusDeps,
  found: PaymentRequest,
  outcome: SimulatedStatus,
  reason?: SimulationBody['reason'],
): Promise<ChangedRequest> {
  const [action] = ACTIONS[outcome];
  const now = deps.clock.now();
  let locked = found;
  if (action === 'EXPIRE') {
    const { status } = paymentRequestAt(locked, now);
    if (!isOpen(status)) throw refusalOfStatus(status);
    locked = await bringExpiryForward(tx, locked, now);
  }
  const cause = simulatedCause(action, locked, reason ?? null, now);
  const { plan, publish } = await changeLocked(tx, deps, locked, cause);
  const { outcome: planned, paymentRequest } = plan;
  const { status } = paymentRequest;
  if (planned === 'REFUSED' && !isOpen(status)) throw refusalOfStatus(status);
  return { paymentRequest, publish };
}

/** @throws Problem VALIDATION_ERROR */
export function checked<Body extends { readonly outcome: string; readonly reason?: string }>(
  body: Partial<Body>,
  faults: readonly FieldFault[],
): Body {
  const { outcome, reason } = body;
  const isReasonUseless = reason !== undefined && outcome !== 'FAILED';
  const message = 'Give reason only with the outcome FAILED.';
  throwFaults([
    ...faults,
    ...(isReasonUseless ? [{ field: 'reason', code: 'INVALID_VALUE' as const, message }] : []),
  ]);
  return body as Body;
}

type SimulatedMoney = (typeof SIMULATED_MONEY)[number];

/**
 * Moves the money of a locked payment request as a network reports it: all that is there goes back,
 * half of what is missing arrives, or the amount arrives once more.
 *
 * @throws Problem NOT_PAID, ALREADY_PAID, or VALIDATION_ERROR where nothing is left to divide.
 */
async function simulateMoney(
  tx: Executor,
  deps: ApplyReportDeps,
  locked: PaymentRequest,
  money: SimulatedMoney,
): Promise<ChangedRequest> {
  const { id } = locked;
  // Each call is money of its own. An idempotency key protects a repeat.
  const reference = networkReferenceOf(newId());
  const outcome = outcomeOf(money, locked, reference, deps);
  const report = { paymentRequestId: id, isRevocable: false, outcome };
  const { publish } = await applyLocked(tx, deps, [report], [locked]);
  return { paymentRequest: (await findPaymentRequest(tx, id)) ?? locked, publish };
}

/** The cents that would move; none: the payment request does not allow it now. */
function centsOf(money: SimulatedMoney, p: PaymentRequest): number {
  switch (money) {
    case 'RETURNED':
      return p.sums.receivedCents - p.sums.returnedCents;
    case 'PART_PAYMENT':
      return p.payment ? 0 : Math.floor((p.amountCents - heldCents(p)) / 2);
    case 'SECOND_PAYMENT':
      return p.payment ? p.amountCents : 0;
  }
}

function outcomeOf(
  money: SimulatedMoney,
  p: PaymentRequest,
  networkReference: string,
  { currency, clock }: Pick<ApplyReportDeps, 'currency' | 'clock'>,
) {
  const cents = centsOf(money, p);
  switch (money) {
    case 'RETURNED': {
      const detail = 'No money is there that could go back.';
      if (cents <= 0) throw new Problem('NOT_PAID', { detail });
      const returnedReference = p.payment?.networkReference ?? null;
      const movement = bareMovement(networkReference, cents);
      return { state: 'RETURNED', currency, movement, returnedReference, reason: null } as const;
    }
    case 'PART_PAYMENT': {
      if (p.payment) throw refusalOfStatus('PAID');
      const message = 'Give PART_PAYMENT while at least 0.02 are missing.';
      const errors = [{ field: 'outcome', code: 'INVALID_VALUE' as const, message }];
      if (cents <= 0) throw new Problem('VALIDATION_ERROR', { errors });
      const movement = bareMovement(networkReference, cents);
      return { state: 'PART_RECEIVED', currency, movement } as const;
    }
    case 'SECOND_PAYMENT': {
      const detail = 'Only a payment request that is PAID can be paid a second time.';
      if (!p.payment) throw new Problem('NOT_PAID', { detail });
      const { amountCents } = p;
      const completedAt = clock.now();
      const payment = { institution: INSTITUTION, networkReference, completedAt };
      return { state: 'SUCCEEDED', amountCents, currency, ...payment } as const;
    }
  }
}
