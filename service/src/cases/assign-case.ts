import { isId } from '#lib/new-id.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { assignMoney } from '#payment-requests/network/money/settle-money.ts';
import { acceptRefund } from './accept-case.ts';
import { referencesOf, textIn } from './model/operator-case.ts';
import { refuseUnsettled } from './refuse-unsettled.ts';
import { type SettleDeps, type SettledCase, settleCase } from './settle-case.ts';

export interface Assignment {
  readonly paymentRequestId: string;
  readonly note: string | null;
}

/**
 * Gives the money of a case to a payment request, as if it had arrived for it: PAID when the sum is
 * exact, a part when it is less, a case AMOUNT_MISMATCH when it is more. Money on a merchant's
 * account goes to a payment request of that merchant alone. A debit of the case REFUNDED_OUTSIDE
 * becomes a refund of the payment request.
 *
 * @throws OperatorFault as `settleCase`, and for another merchant's payment request
 */
export async function assignCase(
  deps: SettleDeps,
  id: string,
  { paymentRequestId, note }: Assignment,
): Promise<SettledCase> {
  if (!isId(paymentRequestId)) throw new Refusal('assign.id');
  const options = { settlement: 'ASSIGNED', target: paymentRequestId, note } as const;
  return settleCase(deps, id, options, async (tx, changeDeps, { operatorCase, paymentRequest }) => {
    const { merchantId } = operatorCase;
    if (merchantId !== null && paymentRequest?.merchant.id !== merchantId) {
      throw new Refusal('assign.merchant', { id: paymentRequestId });
    }
    if (operatorCase.kind === 'REFUNDED_OUTSIDE') {
      return acceptRefund(tx, changeDeps, { operatorCase, paymentRequest });
    }
    const networkReferences = referencesOf(operatorCase);
    const institution = textIn(operatorCase, 'institution');
    const money = { paymentRequestId, networkReferences, institution };
    return refuseUnsettled(await assignMoney(tx, changeDeps, money));
  });
}
