import type { Database } from '#database/database.ts';
import type { NetworkListener } from '../e-transfer-network.ts';
import { markTransferSent } from './request-store.ts';
import type { TransferRequest } from './transfer-request.ts';

export interface NoteTransferSentDeps {
  readonly db: Database;
  readonly listener: Pick<NetworkListener, 'noteStep'>;
  readonly tellOfChanges: (pageKeys: readonly string[]) => Promise<void>;
}

/**
 * The payer says that the transfer was sent: a step of the timeline, never a status. A repetition
 * does nothing until a part of the money has arrived.
 */
export async function noteTransferSent(
  { db, listener, tellOfChanges }: NoteTransferSentDeps,
  { pageKey, paymentRequestId }: TransferRequest,
): Promise<void> {
  const changed = await markTransferSent(db, pageKey);
  if (changed.length === 0) return;
  listener.noteStep(paymentRequestId, 'TRANSFER_SENT');
  await tellOfChanges(changed);
}
