import type { Executor } from '#database/database.ts';
import { newId } from '#lib/new-id.ts';
import type { NewNotice } from './notice.ts';
import { insertNotice } from './notice-store.ts';

/** A person recognises an account by them, and nobody can use them. */
const SHOWN_OF_NUMBER = 4;

/**
 * Writes a notice to a merchant, in the transaction of its cause. A background loop sends the
 * e-mail to the address of `payreq merchant set-notices`; without one it tells the operator.
 */
export async function noticeMerchant(tx: Executor, notice: NewNotice): Promise<void> {
  await insertNotice(tx, {
    id: newId(),
    merchantId: notice.merchantId,
    kind: notice.kind,
    paymentRequestId: 'paymentRequestId' in notice ? notice.paymentRequestId : null,
    refundId: 'refundId' in notice ? notice.refundId : null,
    amountCents: 'amountCents' in notice ? notice.amountCents : null,
    currency: 'currency' in notice ? notice.currency : null,
    statusReasonCode: 'statusReasonCode' in notice ? notice.statusReasonCode : null,
    numberEnd: 'number' in notice ? endOf(notice.number) : null,
    previousNumberEnd: 'number' in notice && notice.previous ? endOf(notice.previous) : null,
  });
}

function endOf(accountNumber: string): string {
  return accountNumber.slice(-SHOWN_OF_NUMBER);
}
