import { Refusal } from '#merchants/operator-fault.ts';
import { SETTLE_REFUSALS, type Settled } from '#payment-requests/network/money/settle-money.ts';

/** @throws OperatorFault when the money was not settled; the transaction then writes nothing */
export function refuseUnsettled(settled: Settled): Settled {
  const { outcome } = settled;
  const refusal = SETTLE_REFUSALS.find((each) => each === outcome);
  if (refusal) throw new Refusal(`settle.${refusal}`);
  return settled;
}
