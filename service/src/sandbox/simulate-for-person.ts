import type { DatabaseDeps, Executor } from '#database/database.ts';
import { type AuditEntry, recordAct } from '#merchants/audit-log-store.ts';
import type { ApplyReportDeps } from '#payment-requests/network/apply-report.ts';
import type { Written } from '#payment-requests/status/change-status.ts';
import type { ChangeRefundDeps } from '#refunds/status/change-refund-status.ts';
import { simulateRefund } from './refunds/simulate-refund.ts';
import { checked, simulateOutcome } from './simulate-outcome.ts';
import type { RefundSimulationBody, SimulationBody } from './simulation-schemas.ts';
import { beginAdvance } from './time/begin-advance.ts';

/** A person or an assistant that acts for a merchant; the audit log names the actor. */
export interface SimulatingActor extends DatabaseDeps {
  readonly actor: string;
  readonly merchantId: string;
}

/**
 * Gives a sandbox payment request an outcome by the rules of the merchant's own call (contract §8).
 *
 * @param body fits its schema
 * @throws Problem as `simulateOutcome`
 */
export function simulateOutcomeForPerson(
  by: SimulatingActor,
  deps: ApplyReportDeps,
  id: string,
  body: Partial<SimulationBody>,
) {
  return act(by, async (tx) => {
    const done = await simulateOutcome(tx, deps, by.merchantId, { id, body, faults: [] });
    const { id: paymentRequestId, status } = done.paymentRequest;
    return [done, { paymentRequestId, ...body, status }];
  });
}

/** @throws Problem VALIDATION_ERROR, or as `simulateRefund` */
export function simulateRefundForPerson(
  by: SimulatingActor,
  deps: ChangeRefundDeps,
  id: string,
  body: Partial<RefundSimulationBody>,
) {
  const asked = checked<RefundSimulationBody>(body, []);
  return act(by, async (tx) => {
    const done = await simulateRefund(tx, deps, by.merchantId, id, asked);
    return [done, { refundId: done.refund.id, ...asked, status: done.refund.status }];
  });
}

/** @throws Problem as `beginAdvance` */
export function advanceForPerson(by: SimulatingActor, id: string, seconds: number) {
  return act(by, async (tx) => {
    const done = await beginAdvance(tx, by, by.merchantId, { id, seconds });
    return [done, { paymentRequestId: done.answer.paymentRequestId, seconds }];
  });
}

/** Acts by one transaction, which ends with the entry of the audit log. */
async function act<Done extends Written>(
  by: SimulatingActor,
  work: (tx: Executor) => Promise<[Done, AuditEntry['details']]>,
): Promise<Done> {
  const done = await by.db.transaction(async (tx) => {
    const [done, details] = await work(tx);
    await recordAct(tx, by, 'OUTCOME_SIMULATED', by.merchantId, details);
    return done;
  });
  done.publish();
  return done;
}
