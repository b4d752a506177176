import type { Executor } from '#database/database.ts';
import { TRANSITIONS } from '#payment-requests/payment-request-states.ts';
import { auditOutbox } from './doctor-store.ts';

/** A batch takes about 50 ms, far below the limit of a statement, however large the table is. */
const BATCH_SIZE = 5_000;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';
/** Enough to see a pattern in; a report of millions helps nobody. */
const MOST_BROKEN = 1_000;

export interface OutboxAudit {
  readonly paymentRequests: number;
  readonly owedEvents: number;
  /** The payment requests that lack an event, or whose history does not fit; at most 1,000. */
  readonly brokenIds: readonly string[];
}

/**
 * Proves promise 2 of webhook delivery on all payment requests: every status change whose row in
 * the table names a webhook has its event, unless it is older than events are kept (`keptDays`).
 * Walks in batches, so that it holds nothing up.
 */
export async function auditWholeOutbox(db: Executor, keptDays: number): Promise<OutboxAudit> {
  const owing = TRANSITIONS.flatMap(({ from, to, webhook }) =>
    from !== null && webhook !== null ? [{ from, to, eventType: webhook }] : [],
  );
  const brokenIds: string[] = [];
  let paymentRequests = 0;
  let owedEvents = 0;
  let after: string | null = BEFORE_ALL_IDS;
  while (after !== null && brokenIds.length < MOST_BROKEN) {
    const batch = await auditOutbox(db, after, BATCH_SIZE, owing, keptDays);
    paymentRequests += batch.paymentRequests;
    owedEvents += batch.owedEvents;
    brokenIds.push(...batch.brokenIds.slice(0, MOST_BROKEN - brokenIds.length));
    after = batch.lastId;
  }
  return { paymentRequests, owedEvents, brokenIds };
}
