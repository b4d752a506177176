import type { Database } from '#database/database.ts';
import { type ChangeStatusDeps, enqueueEvent } from '#payment-requests/status/change-status.ts';
import { lockPaymentRequest } from '#payment-requests/status/lock-store.ts';
import type { MessageMetrics } from '#telemetry/metrics/messages/message-metrics.ts';
import { endSentSms, findSentSms } from './receipt-store.ts';

export interface ReceiptDeps {
  readonly db: Database;
  readonly move: ChangeStatusDeps;
  readonly metrics: Pick<MessageMetrics, 'messageEnded'>;
}

/** How a SMS ended, as the relay reports it (messages §6). */
export interface SmsReceipt {
  readonly id: string;
  readonly status: 'DELIVERED' | 'FAILED';
}

/**
 * Applies a receipt: a SMS that is SENT ends, any other message stays as it is. A link that did not
 * arrive has its webhook event in the same transaction.
 *
 * @returns whether the message ended by it
 */
export async function applyReceipt(
  { db, move, metrics }: ReceiptDeps,
  { id, status }: SmsReceipt,
): Promise<boolean> {
  const sent = await findSentSms(db, id);
  if (!sent) return false;
  const { kind, paymentRequestId } = sent;
  const isUndelivered = status === 'FAILED' && kind === 'REQUEST';
  const reason = status === 'FAILED' ? 'NOT_DELIVERED' : null;
  const { isEnded, written } = await db.transaction(async (tx) => {
    // Locked first, as every other writer of both rows does.
    if (isUndelivered) await lockPaymentRequest(tx, paymentRequestId);
    if (!(await endSentSms(tx, id, status, reason))) return { isEnded: false, written: null };
    // Read again: the event shows the link with its end.
    const current = isUndelivered ? await lockPaymentRequest(tx, paymentRequestId) : null;
    const written = current && (await enqueueEvent(tx, move, current, 'MESSAGE-UNDELIVERED'));
    return { isEnded: true, written };
  });
  written?.publish();
  if (isEnded) metrics.messageEnded(kind, 'SMS', status);
  return isEnded;
}
