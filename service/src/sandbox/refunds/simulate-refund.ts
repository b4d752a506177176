import type { Executor } from '#database/database.ts';
import { isId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import { notFound } from '#lib/words/not-found.ts';
import type { Written } from '#payment-requests/status/change-status.ts';
import { findRefund } from '#refunds/lookup/find-store.ts';
import type { Refund, RefundCause } from '#refunds/model/refund.ts';
import { findRefundTransition } from '#refunds/model/statuses.ts';
import {
  type ChangeRefundDeps,
  changeRefundStatuses,
} from '#refunds/status/change-refund-status.ts';
import { lockPaymentsOfMerchants } from '#refunds/status/lock-store.ts';
import { type RefundSimulationBody, SIMULATED_REFUND_OUTCOMES } from '../simulation-schemas.ts';
import { movementOf } from './plan-refund.ts';

/** The cause that each outcome has in the table of transitions. */
const CAUSES = {
  COMPLETED: 'EXECUTED',
  FAILED: 'REFUSED',
  RETURNED: 'MONEY_CAME_BACK',
} as const;

/** The outcomes that a refund allows now. */
export function possibleRefundOutcomes({ status }: Pick<Refund, 'status'>) {
  return SIMULATED_REFUND_OUTCOMES.filter((each) => findRefundTransition(status, CAUSES[each]));
}

/**
 * Gives a refund of the sandbox an outcome by hand, in the caller's transaction (contract §8).
 *
 * @throws Problem REFUND_NOT_FOUND, or REFUND_OUTCOME_IMPOSSIBLE by the table of transitions.
 */
export async function simulateRefund(
  tx: Executor,
  deps: ChangeRefundDeps,
  merchantId: string,
  id: string,
  asked: RefundSimulationBody,
): Promise<Written & { readonly refund: Refund }> {
  const found = isId(id) ? await findRefund(tx, id) : null;
  if (found?.merchantId !== merchantId) throw notFound('REFUND_NOT_FOUND', id);
  const payments = await lockPaymentsOfMerchants(tx, [found.paymentRequestId], [merchantId]);
  // Read again under the lock.
  const refund = (await findRefund(tx, id)) ?? found;
  const cause = causeOf(refund, asked, deps.clock.now());
  const changed = await changeRefundStatuses(tx, deps, payments, [{ refund, cause }]);
  if (!changed.isChanged[0]) {
    const detail = `The refund is ${refund.status}, and cannot become ${asked.outcome}.`;
    throw new Problem('REFUND_OUTCOME_IMPOSSIBLE', { detail });
  }
  return { refund: changed.refunds[0] ?? refund, publish: changed.publish };
}

function causeOf(
  refund: Refund,
  { outcome, reason }: RefundSimulationBody,
  now: Date,
): RefundCause {
  switch (outcome) {
    case 'COMPLETED':
      return { name: CAUSES[outcome], movement: movementOf('OUT', refund), completedAt: now };
    case 'FAILED':
      return { name: CAUSES[outcome], reasonCode: reason ?? 'NETWORK_REJECTED' };
    case 'RETURNED':
      return { name: CAUSES[outcome], movement: movementOf('BACK', refund) };
  }
}
