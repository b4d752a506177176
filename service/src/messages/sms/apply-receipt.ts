import { type UndeliveredDeps, writeUndelivered } from '#messages/outbox/write-undelivered.ts';
import type { MessageMetrics } from '#telemetry/metrics/messages/message-metrics.ts';
import { endSentSms, findSentSms } from './receipt-store.ts';

export interface ReceiptDeps extends UndeliveredDeps {
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
  deps: ReceiptDeps,
  { id, status }: SmsReceipt,
): Promise<boolean> {
  const sent = await findSentSms(deps.db, id);
  if (!sent) return false;
  const { kind, paymentRequestId } = sent;
  const isUndelivered = status === 'FAILED' && kind === 'REQUEST';
  const reason = status === 'FAILED' ? 'NOT_DELIVERED' : null;
  const isEnded = await writeUndelivered(deps, isUndelivered ? paymentRequestId : null, (tx) =>
    endSentSms(tx, id, status, reason),
  );
  if (isEnded) deps.metrics.messageEnded(kind, 'SMS', status);
  return isEnded;
}
