import { eventually } from '../eventually.ts';
import { refundCalls } from '../refunds/refund-calls.ts';
import type { BankProduction } from './bank-production.ts';

/** Creates a refund, and waits until it is in the queue of the payment files. @returns its id */
export async function queueRefund(
  bank: BankProduction,
  paymentRequestId: string,
  amount: number,
): Promise<string> {
  const { json } = await refundCalls(bank, bank.merchant).created(paymentRequestId, { amount });
  await eventually(async () => {
    await bank.service.advance(1_000);
    const text = 'SELECT FROM bank_refunds WHERE refund_id = $1';
    return (await bank.service.database.sql(text, [json.id])).length > 0;
  }, 'the queue of refunds');
  return json.id;
}
