import type { Executor } from '#database/database.ts';
import { findOverdue, type OverduePaymentRequest } from './overdue-store.ts';

/** The limit of the alert about late expiries: expiries are written within seconds. */
const OVERDUE_SECONDS = 120;
/** Payments take minutes; a network that is asked every minute has answered by then. */
const PROCESSING_SECONDS = 3_600;

/** Payment requests that a loop or the network should have moved, the longest first. */
export function listOverdue({ db }: { readonly db: Executor }): Promise<OverduePaymentRequest[]> {
  return findOverdue(db, {
    overdueSeconds: OVERDUE_SECONDS,
    processingSeconds: PROCESSING_SECONDS,
  });
}
