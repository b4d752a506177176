import type { Executor } from '#database/database.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { FieldFault } from '#lib/problem.ts';
import type { ChangedRequest } from '#payment-requests/change/reply-once.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { isOpen, refusalOfStatus } from '#payment-requests/model/statuses.ts';
import type { ApplyReportDeps } from '#payment-requests/network/apply-report.ts';
import { type ChangeStatusDeps, changeLocked } from '#payment-requests/status/change-status.ts';
import { bringExpiryForward } from '#payment-requests/status/expiry-store.ts';
import { lockOwnPaymentRequest } from '#payment-requests/status/lock-own.ts';
import { type Action, isPossibleIn } from './outcomes.ts';
import { centsOf, type SimulatedMoney, simulateMoney } from './simulate-money.ts';
import { simulatedCause } from './simulated-cause.ts';
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
