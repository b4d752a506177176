import type { Refund, RefundedPayment } from './refund.ts';

export interface Uncovered {
  /** The cents that the network gives or gave back and that no received money covers. */
  readonly uncoveredCents: number;
  /** CREATED refunds for which no money is left. */
  readonly toFail: readonly Refund[];
}

/**
 * Finds the refunds that the money of a payment request no longer covers. Refunds that the network
 * has come first; of the CREATED ones, the older is covered before the younger. Pure.
 *
 * @param refunds all refunds of the payment request, oldest first
 */
export function findUncovered(payment: RefundedPayment, refunds: readonly Refund[]): Uncovered {
  const ofPayment = refunds.filter(({ isOfPayment }) => isOfPayment);
  const atNetwork = ofPayment.filter(
    ({ status }) => status === 'PROCESSING' || status === 'COMPLETED',
  );
  const taken = atNetwork.reduce((sum, { amountCents }) => sum + amountCents, 0);
  let left = payment.receivedCents - payment.returnedCents - taken;
  const uncoveredCents = atNetwork.length > 0 ? Math.max(0, -left) : 0;
  const toFail: Refund[] = [];
  for (const refund of ofPayment.filter(({ status }) => status === 'CREATED')) {
    if (refund.amountCents > left) toFail.push(refund);
    else left -= refund.amountCents;
  }
  return { uncoveredCents, toFail };
}
