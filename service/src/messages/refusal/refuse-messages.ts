import type { MessageKey } from '#messages/addresses/message-key.ts';
import type { Wish } from '#messages/model/suppression.ts';
import { type UndeliveredDeps, writeUndelivered } from '#messages/outbox/write-undelivered.ts';
import { findPaymentRequest } from '#payment-requests/lookup/find-store.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import {
  findSentMessage,
  insertSuppression,
  markRefused,
  type SentMessage,
} from './suppression-store.ts';

export interface RefuseDeps extends UndeliveredDeps {
  readonly key: MessageKey;
}

export interface RefusedMessage {
  readonly message: SentMessage;
  readonly paymentRequest: PaymentRequest;
}

/** The message of a link in a mail; null: no mail has such a link, or its message is gone. */
export async function findLinkedMessage(
  { db, key }: RefuseDeps,
  token: string,
): Promise<RefusedMessage | null> {
  const id = await key.messageOf(db, token);
  const message = id === null ? undefined : await findSentMessage(db, id);
  const paymentRequest = message && (await findPaymentRequest(db, message.paymentRequestId));
  return message && paymentRequest ? { message, paymentRequest } : null;
}

/**
 * Stops messages of the merchant to the address that a message went to (messages §5): all of them,
 * or its reminders. The payment request stays payable. A refusal tells the merchant, once.
 */
export async function refuseMessages(
  deps: RefuseDeps,
  { id, merchantId, channel, addressHash, paymentRequestId }: SentMessage,
  reason: Wish,
): Promise<void> {
  const isRefusal = reason === 'RECIPIENT_REFUSED';
  await writeUndelivered(deps, isRefusal ? paymentRequestId : null, async (tx) => {
    const isNew = await insertSuppression(tx, merchantId, channel, addressHash, reason, id);
    if (isNew && isRefusal) await markRefused(tx, id);
    return isNew;
  });
}
