import type { Executor } from '#database/database.ts';
import { TRANSITIONS } from '#payment-requests/model/statuses.ts';
import { BEFORE_ALL_IDS, MOST_KEPT_IDS } from '../audit-rows.ts';
import { walkBatches } from '../walk-batches.ts';
import { auditOutbox } from './outbox-store.ts';

/** A batch takes about 50 ms, far below the limit of a statement, however large the table is. */
const BATCH_SIZE = 5_000;

export interface OutboxAudit {
  readonly paymentRequests: number;
  readonly owedEvents: number;
  /** How many payment requests lack an event, or have a history that does not fit. */
  readonly broken: number;
  /** Their ids, at most 1,000. */
  readonly brokenIds: readonly string[];
  /** The place where the audit stopped, and why; `null` when every payment request was examined. */
  readonly stopped: string | null;
}

/**
 * Proves promise 2 of webhook delivery on all payment requests: every status change whose row in
 * the table names a webhook has its event, unless it is older than events are kept (`keptDays`).
 * Examines every batch, also after a faulty one.
 */
export async function auditWholeOutbox(
  db: Executor,
  keptDays: number,
  showProgress: (paymentRequests: number) => void = () => {},
): Promise<OutboxAudit> {
  const owing = TRANSITIONS.flatMap(({ from, to, webhook }) =>
    from !== null && webhook !== null ? [{ from, to, eventType: webhook }] : [],
  );
  const brokenIds: string[] = [];
  let broken = 0;
  let owedEvents = 0;
  const { examined, stopped } = await walkBatches({
    first: BEFORE_ALL_IDS,
    batchSize: BATCH_SIZE,
    showProgress,
    async examine(after, limit) {
      const batch = await auditOutbox(db, after, limit, owing, keptDays);
      owedEvents += batch.owedEvents;
      broken += batch.brokenIds.length;
      brokenIds.push(...batch.brokenIds.slice(0, MOST_KEPT_IDS - brokenIds.length));
      return { examined: batch.paymentRequests, last: batch.lastId };
    },
  });
  return { paymentRequests: examined, owedEvents, broken, brokenIds, stopped };
}
