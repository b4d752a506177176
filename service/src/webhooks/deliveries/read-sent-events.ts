import type { Executor } from '#database/database.ts';
import { findSentEvents, type SentEvent } from './sent-store.ts';

/** A payment request with refunds has some ten events. */
const MOST_EVENTS = 100;

/** The events of a merchant's payment request with their bodies, newest first; at most 100. */
export function readSentEvents(
  db: Executor,
  merchantId: string,
  paymentRequestId: string,
): Promise<SentEvent[]> {
  return findSentEvents(db, merchantId, paymentRequestId, MOST_EVENTS);
}
