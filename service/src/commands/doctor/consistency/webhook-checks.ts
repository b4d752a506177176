import { countText } from '#lib/words/count-text.ts';
import { auditRows, BEFORE_ALL_IDS } from '../audit-rows.ts';
import type { Found } from '../found-store.ts';
import {
  type Checks,
  examplesIn,
  examplesOf,
  fault,
  fine,
  verdictOf,
  withStop,
} from '../verdict.ts';
import { auditWholeOutbox } from './audit-whole-outbox.ts';
import {
  auditDeliveries,
  countEventsAhead,
  findFarDeliveries,
  findLongLeases,
  findOverdueDeliveries,
  findOverdueLeases,
} from './webhook-store.ts';

/** Each event costs one index lookup: a batch takes about 50 ms. */
const BATCH_SIZE = 5_000;
/** Senders poll every second; a delivery that is due for a minute has no sender. */
const OVERDUE_SECONDS = 60;
/** Jitter adds a tenth to a wait; the rest is for clocks and a Retry-After of an hour. */
const LONGEST_WAIT_FACTOR = 1.2;
const LONGEST_RETRY_AFTER_SECONDS = 3_600;
/** The longest lease is 90 s (a list stream); twice that leaves room for clocks. */
const LONGEST_LEASE_SECONDS = 180;

/** Events, their deliveries and the feed. */
export const WEBHOOK_CHECKS = {
  /** Every status change has its webhook event, and the history leads to the status. */
  async outbox(deps) {
    const { paymentRequests, owedEvents, broken, brokenIds, stopped } = await auditWholeOutbox(
      deps.db,
      deps.retentionEventsDays,
      (examined) => deps.showProgress(countText(examined, 'payment request')),
    );
    const changes = countText(owedEvents, 'status change');
    const looked = `Checked ${changes} of ${countText(paymentRequests, 'payment request')}`;
    if (broken > 0) {
      const ids = examplesOf(brokenIds, broken);
      return withStop(stopped, fault(`${looked}: the event or the history is wrong for ${ids}.`));
    }
    return withStop(stopped, fine(`${looked}: each has its event.`));
  },
  /** Every event has its deliveries, and each delivery that is due is sent. */
  async deliveries(deps) {
    const { db } = deps;
    const { examined, stopped, wrong } = await auditRows(deps, {
      unit: 'webhook event',
      batchSize: BATCH_SIZE,
      first: BEFORE_ALL_IDS,
      ways: { brokenIds: 'Deliveries are missing for' },
      audit: (after, limit) => auditDeliveries(db, after, limit),
    });
    const faults = Object.values(wrong);
    const overdue = await findOverdueDeliveries(db, OVERDUE_SECONDS);
    if (overdue.count > 0) {
      faults.push(
        `${count(overdue)} due for more than ${OVERDUE_SECONDS} s and nobody sends: ` +
          `${examplesIn(overdue)}. Does a process with the background role run?`,
      );
    }
    const longest = Math.max(...deps.webhookRetryScheduleSeconds, LONGEST_RETRY_AFTER_SECONDS);
    const far = await findFarDeliveries(db, longest * LONGEST_WAIT_FACTOR);
    if (far.count > 0) {
      faults.push(
        `${count(far)} to be attempted later than the schedule allows: ${examplesIn(far)}.`,
      );
    }
    const agreed = `${examined} webhook events have their deliveries`;
    return withStop(stopped, verdictOf(faults, `${agreed}; none waits longer than it should.`));
  },
  /** No lease has outlived its holder, and none is so long that its row rests for ever. */
  async leases({ db }) {
    const overdue = await findOverdueLeases(db, OVERDUE_SECONDS);
    const long = await findLongLeases(db, LONGEST_LEASE_SECONDS);
    const faults: string[] = [];
    if (overdue.count > 0) {
      faults.push(
        `${count(overdue)} leased by a sender that is gone, and nobody took over: ` +
          `${examplesIn(overdue)}. Does a process with the background role run?`,
      );
    }
    if (long.count > 0) {
      faults.push(
        `Leases end later than any lease of this version: ${examplesIn(long)}. ` +
          'No process works on the rows until then.',
      );
    }
    return verdictOf(faults, 'No lease of a sender is overdue.');
  },
  async feed({ db }) {
    const ahead = await countEventsAhead(db);
    if (ahead === 0) return fine('No event is ahead of the feed.');
    return fault(
      `The feed hides ${countText(ahead, 'event')}: the database was restored from another ` +
        'server, whose transaction numbers are ahead. docs/operations has the statement to run.',
    );
  },
} satisfies Checks;

function count({ count: number }: Found): string {
  return countText(number, 'webhook delivery is', 'webhook deliveries are');
}
