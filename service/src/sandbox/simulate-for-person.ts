import { recordAct } from '#merchants/audit-log-store.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import { lockOwnPaymentRequest } from '#payment-requests/status/lock-own.ts';
import { simulateStatus } from './simulate-outcome.ts';
import type { SIMULATED_STATUSES } from './simulation-schemas.ts';

/**
 * Gives a sandbox payment request an outcome for a person, by the rules of the merchant's own call
 * (contract §8). The audit log names the person.
 *
 * @throws Problem as `simulateStatus`
 */
export async function simulateForPerson(
  deps: ChangeStatusDeps,
  actor: string,
  merchantId: string,
  id: string,
  outcome: (typeof SIMULATED_STATUSES)[number],
): Promise<PaymentRequest> {
  const { paymentRequest, publish } = await deps.db.transaction(async (tx) => {
    const locked = await lockOwnPaymentRequest(tx, merchantId, id);
    const changed = await simulateStatus(tx, deps, locked, outcome);
    const { status } = changed.paymentRequest;
    await recordAct(tx, { clock: deps.clock, actor }, 'OUTCOME_SIMULATED', merchantId, {
      paymentRequestId: changed.paymentRequest.id,
      outcome,
      status,
    });
    return changed;
  });
  publish();
  return paymentRequest;
}
