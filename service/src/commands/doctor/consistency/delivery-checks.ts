import type { Found } from '../found-store.ts';
import { type CheckDeps, examplesOf, fault, fine, type Verdict, withStop } from '../verdict.ts';
import { walkBatches } from '../walk-batches.ts';
import { BEFORE_ALL_IDS, MOST_KEPT_IDS } from './audit-whole-outbox.ts';
import { auditDeliveries, findFarDeliveries, findOverdueDeliveries } from './delivery-store.ts';

/** Each event costs one index lookup: a batch takes about 50 ms. */
const BATCH_SIZE = 5_000;
/** Senders poll every second; a delivery that is due for a minute has no sender. */
export const OVERDUE_SECONDS = 60;
/** Jitter adds a tenth to a wait; the rest is for clocks and a Retry-After of an hour. */
const LONGEST_WAIT_FACTOR = 1.2;
const LONGEST_RETRY_AFTER_SECONDS = 3_600;

/** Every event has its deliveries, and each delivery that is due is sent. */
export async function checkDeliveries(deps: CheckDeps): Promise<Verdict> {
  const { db } = deps;
  const brokenIds: string[] = [];
  let broken = 0;
  const { examined, stopped } = await walkBatches({
    first: BEFORE_ALL_IDS,
    batchSize: BATCH_SIZE,
    showProgress: (events) => deps.showProgress(`${events} webhook events`),
    async examine(after, limit) {
      const batch = await auditDeliveries(db, after, limit);
      broken += batch.brokenIds.length;
      brokenIds.push(...batch.brokenIds.slice(0, MOST_KEPT_IDS - brokenIds.length));
      return { examined: batch.events, last: batch.lastId };
    },
  });
  const faults = broken > 0 ? [`Deliveries are missing for ${examplesOf(brokenIds, broken)}.`] : [];
  const overdue = await findOverdueDeliveries(db, OVERDUE_SECONDS);
  if (overdue.count > 0) {
    faults.push(
      `${count(overdue)} due for more than ${OVERDUE_SECONDS} s and nobody sends: ` +
        `${examplesOf(overdue.examples ?? [], overdue.count)}. ` +
        'Does a process with the background role run?',
    );
  }
  const longest = Math.max(...deps.webhookRetryScheduleSeconds, LONGEST_RETRY_AFTER_SECONDS);
  const far = await findFarDeliveries(db, longest * LONGEST_WAIT_FACTOR);
  if (far.count > 0) {
    faults.push(
      `${count(far)} to be attempted later than the schedule allows: ` +
        `${examplesOf(far.examples ?? [], far.count)}.`,
    );
  }
  const verdict =
    faults.length > 0
      ? fault(faults.join(' '))
      : fine(`${examined} webhook events have their deliveries; none waits longer than it should.`);
  return withStop(stopped, verdict);
}

export function count({ count: number }: Found): string {
  return number === 1 ? '1 webhook delivery is' : `${number} webhook deliveries are`;
}
