import type { Refund, RefundedPayment } from './refund.ts';

/**
 * Finds the refunds that the money of a payment request no longer covers. A refund of a movement
 * that went back is not covered by other money: its payer would have the money twice. Among
 * the rest, refunds that the network has come first, and the older before the younger. Pure.
 *
 * @param refunds all refunds of the payment request, oldest first
 * @param returned the network references of the movements that went back
 */
export function findUncovered(
  payment: RefundedPayment,
  refunds: readonly Refund[],
  returned: ReadonlySet<string>,
) {
  const isReturned = ({ movementReference: name }: Refund) => name !== null && returned.has(name);
  const created = refunds.filter(({ status }) => status === 'CREATED');
  const atNetwork = refunds.filter(
    ({ status }) => status === 'PROCESSING' || status === 'COMPLETED',
  );
  const ofPayment = atNetwork.filter(({ isOfPayment }) => isOfPayment);
  let left = payment.receivedCents - payment.returnedCents - sumOf(ofPayment);
  const twice = atNetwork.filter(isReturned);
  const twiceOfPayment = sumOf(twice.filter(({ isOfPayment }) => isOfPayment));
  const missing = ofPayment.length > 0 ? Math.max(twiceOfPayment, -left) : 0;
  const toFail = created.filter(isReturned);
  for (const refund of created) {
    if (!refund.isOfPayment || isReturned(refund)) continue;
    if (refund.amountCents > left) toFail.push(refund);
    else left -= refund.amountCents;
  }
  return {
    /** The cents that the network gives or gave back and that no received money covers. */
    uncoveredCents: missing + sumOf(twice) - twiceOfPayment,
    /** The movements that went back and that the network gives or gave back, too. */
    returnedReferences: twice.flatMap(({ movementReference }) => movementReference ?? []),
    /** CREATED refunds for which no money is left. */
    toFail,
  };
}

function sumOf(refunds: readonly Refund[]): number {
  return refunds.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
