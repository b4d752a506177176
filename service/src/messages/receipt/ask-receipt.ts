import type { Database } from '#database/database.ts';
import { MESSAGE_KINDS } from '#messages/model/kinds.ts';
import { type NewMessageDeps, newMessage } from '#messages/model/message.ts';
import { insertMessages } from '#messages/outbox/message-outbox.ts';
import { knownEmail } from '#payment-requests/model/messages/email-address.ts';
import { lockPaymentRequest } from '#payment-requests/status/lock-store.ts';

export interface AskReceiptDeps extends NewMessageDeps {
  readonly db: Database;
}

/**
 * Writes the receipt that a payer asks for on the page of a payment (messages §2). It goes to the
 * address of the payment request alone, and there is one receipt, however often it is asked for.
 */
export function askReceipt(deps: AskReceiptDeps, paymentRequestId: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    // An erasure of the payer waits: nothing is written to an address that is gone.
    const locked = await lockPaymentRequest(tx, paymentRequestId);
    if (!locked || knownEmail(locked) === null) return;
    if (!MESSAGE_KINDS.RECEIPT.isTrue({ paymentRequest: locked, refund: null })) return;
    await insertMessages(tx, [newMessage(deps, locked, { kind: 'RECEIPT', channel: 'EMAIL' })]);
  });
}
