import type { Executor } from '#database/database.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import { firstFaults } from '#payment-requests/model/field-rules.ts';
import { type PaymentRequest, paymentRequestAt } from '#payment-requests/model/payment-request.ts';
import { refusalOfStatus } from '#payment-requests/model/refusal-of-status.ts';
import { moveLocked, type UncommittedMove } from '#payment-requests/status/change-status.ts';
import { lockOwnPaymentRequest } from '#payment-requests/status/lock-own.ts';
import { bringExpiryForward } from '#payment-requests/status/status-store.ts';
import type { WriteMovesDeps } from '#payment-requests/status/write-changes.ts';
import type { Action } from './outcomes.ts';
import { simulatedCause } from './simulated-cause.ts';
import type { SimulationBody } from './simulation-schemas.ts';

export interface AskedSimulation {
  readonly id: string;
  readonly body: Partial<SimulationBody>;
  /** What the schema found wrong with the body. */
  readonly faults: readonly FieldFault[];
}

const ACTIONS: Readonly<Record<SimulationBody['outcome'], Action>> = {
  PAID: 'SUCCEED',
  FAILED: 'REFUSE',
  EXPIRED: 'EXPIRE',
  PROCESSING: 'ACCEPT',
};

/**
 * Drives a sandbox payment request by hand, in the caller's transaction and through the one door
 * (contract §8). What the table of moves allows is possible: PAID also after FAILED, EXPIRED and
 * CANCELLED, as money that arrives late.
 *
 * @throws Problem PAYMENT_REQUEST_NOT_FOUND, VALIDATION_ERROR, or the 409 of a status in which the
 *         outcome is not possible.
 */
export async function simulateOutcome(
  tx: Executor,
  deps: WriteMovesDeps,
  merchantId: string,
  { id, body, faults }: AskedSimulation,
): Promise<UncommittedMove<PaymentRequest>> {
  const { outcome, reason } = checked(body, faults);
  const action = ACTIONS[outcome];
  let locked = await lockOwnPaymentRequest(tx, merchantId, id);
  const now = deps.clock.now();
  if (action === 'EXPIRE') {
    const { status } = paymentRequestAt(locked, now);
    if (status !== 'CREATED') throw refusalOfStatus(status);
    await bringExpiryForward(tx, locked.id, now);
    locked = await lockOwnPaymentRequest(tx, merchantId, id);
  }
  const { amountCents } = locked;
  const payment = { paymentRequestId: locked.id, amountCents, reasonCode: reason ?? null };
  const { result, moves } = await moveLocked(
    tx,
    deps,
    locked,
    simulatedCause(action, payment, now),
  );
  const { status } = result.paymentRequest;
  if (result.outcome === 'REFUSED' && status !== 'CREATED') throw refusalOfStatus(status);
  return { result: result.paymentRequest, moves };
}

/** @throws Problem VALIDATION_ERROR */
function checked(body: Partial<SimulationBody>, faults: readonly FieldFault[]): SimulationBody {
  const { outcome, reason } = body;
  const isReasonUseless = reason !== undefined && outcome !== 'FAILED';
  const message = 'Give reason only with the outcome FAILED.';
  const errors = firstFaults([
    ...faults,
    ...(isReasonUseless ? [{ field: 'reason', code: 'INVALID_VALUE' as const, message }] : []),
  ]);
  if (errors.length > 0) throw new Problem('VALIDATION_ERROR', { errors });
  return body as SimulationBody;
}
