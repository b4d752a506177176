import type { Database, Executor } from '#database/database.ts';
import { type ChangeStatusDeps, enqueueEvent } from '#payment-requests/status/change-status.ts';
import { lockPaymentRequest } from '#payment-requests/status/lock-store.ts';

export interface UndeliveredDeps {
  readonly db: Database;
  /** Writes the event. */
  readonly move: ChangeStatusDeps;
}

/**
 * Writes how a message ended in one transaction with its webhook event: the payer of the payment
 * request knows of nothing.
 *
 * @param paymentRequestId null: the merchant is not told
 * @param write returns false where another call has written the end before
 * @returns what `write` returned
 */
export async function writeUndelivered(
  { db, move }: UndeliveredDeps,
  paymentRequestId: string | null,
  write: (tx: Executor) => Promise<boolean>,
): Promise<boolean> {
  if (paymentRequestId === null) return db.transaction(write);
  const { isWritten, event } = await db.transaction(async (tx) => {
    // Locked first, as every other writer of both rows does.
    await lockPaymentRequest(tx, paymentRequestId);
    if (!(await write(tx))) return { isWritten: false, event: null };
    // Read again: the event shows the link with its end.
    const current = await lockPaymentRequest(tx, paymentRequestId);
    const event = current && (await enqueueEvent(tx, move, current, 'MESSAGE-UNDELIVERED'));
    return { isWritten: true, event };
  });
  event?.publish();
  return isWritten;
}
