import { OperatorFault } from '#merchants/operator-fault.ts';
import type { Settled, SettleRefusal } from '#payment-requests/network/money/settle-money.ts';

const SENTENCES: Readonly<Record<SettleRefusal, string>> = {
  UNKNOWN_PAYMENT_REQUEST: 'There is no such payment request.',
  ALREADY_PAID: 'The payment request is PAID already. Give the money back, or assign it elsewhere.',
  NO_MONEY: 'The money of the case does not wait any more: it was settled or taken back.',
  OTHER_MERCHANT: 'The money is on the account of another merchant than the payment request.',
  OTHER_CURRENCY: 'The money is in another currency than the deployment’s.',
};

/** @throws OperatorFault when the money was not settled; the transaction then writes nothing */
export function refuseUnsettled(settled: Settled): Settled {
  const { outcome } = settled;
  if (outcome in SENTENCES) throw new OperatorFault(SENTENCES[outcome as SettleRefusal]);
  return settled;
}
