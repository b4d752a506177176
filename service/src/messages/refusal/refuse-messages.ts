import type { Database } from '#database/database.ts';
import type { MessageKey } from '#messages/addresses/message-key.ts';
import type { Wish } from '#messages/model/suppression.ts';
import { findPaymentRequest } from '#payment-requests/lookup/find-store.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { type ChangeStatusDeps, enqueueEvent } from '#payment-requests/status/change-status.ts';
import { lockPaymentRequest } from '#payment-requests/status/lock-store.ts';
import {
  findSentMessage,
  insertSuppression,
  markRefused,
  type SentMessage,
} from './suppression-store.ts';

export interface RefuseDeps {
  readonly db: Database;
  readonly key: MessageKey;
  readonly move: ChangeStatusDeps;
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
  { db, move }: RefuseDeps,
  { id, merchantId, channel, addressHash, paymentRequestId }: SentMessage,
  reason: Wish,
): Promise<void> {
  const written = await db.transaction(async (tx) => {
    const locked = await lockPaymentRequest(tx, paymentRequestId);
    const isNew = await insertSuppression(tx, merchantId, channel, addressHash, reason, id);
    if (!isNew || reason !== 'RECIPIENT_REFUSED') return null;
    await markRefused(tx, id);
    const current = locked && (await lockPaymentRequest(tx, locked.id));
    return current && enqueueEvent(tx, move, current, 'MESSAGE-UNDELIVERED');
  });
  written?.publish();
}
