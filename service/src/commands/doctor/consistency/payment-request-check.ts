import { countText } from '#lib/words/count-text.ts';
import { ERASED_PAYER } from '#payment-requests/erasure/redact-payer.ts';
import { CONTRACT_TIMES } from '#payment-requests/model/expiry.ts';
import { TRANSITIONS } from '#payment-requests/model/statuses.ts';
import { type CheckDeps, examplesOf, fault, fine, type Verdict, withStop } from '../verdict.ts';
import { walkBatches } from '../walk-batches.ts';
import { BEFORE_ALL_IDS } from './audit-whole-outbox.ts';
import { createFindings } from './findings.ts';
import { auditPaymentRequests, findUnexpired } from './payment-request-store.ts';

/** It searches the bodies of the events, 1.5 kB each: a batch takes about 50 ms. */
const BATCH_SIZE = 2_000;
/** The loop expires within seconds; five minutes are for a restart or a backlog. */
const UNEXPIRED_SECONDS = 300;

const EVENT_TYPES = [...new Set(TRANSITIONS.flatMap(({ webhook }) => webhook ?? []))];

/** Payment requests agree with their events and their timeline, and expire in time. */
export async function checkPaymentRequests(deps: CheckDeps): Promise<Verdict> {
  const { db } = deps;
  const findings = createFindings({
    wrongAmounts: 'The amount differs from the webhook event’s',
    wrongShortCodes: 'The short code differs from the webhook event’s or the network’s link',
    wrongSequences: 'The numbers of the webhook events do not count to webhook_sequence',
    lackEntries: 'The timeline lacks an update or a cancellation',
    wrongTimes: 'Creation, events and payment are not in the order of time, or in the future',
    wrongExpiries: 'The expiry precedes the creation, or lies too far ahead',
  });
  const facts = {
    erasedEmail: ERASED_PAYER.email,
    eventTypes: EVENT_TYPES,
    keptDays: deps.retentionEventsDays,
    // The longest of all networks: a deployment may have changed its network.
    longestExpirySeconds: CONTRACT_TIMES.longestExpirySeconds,
  };
  const { examined, stopped } = await walkBatches({
    first: BEFORE_ALL_IDS,
    batchSize: BATCH_SIZE,
    showProgress: (rows) => deps.showProgress(countText(rows, 'payment request')),
    async examine(after, limit) {
      const batch = await auditPaymentRequests(db, after, limit, facts);
      findings.add(batch);
      return { examined: batch.paymentRequests, last: batch.lastId };
    },
  });
  const faults = findings.sentences();
  const late = await findUnexpired(db, UNEXPIRED_SECONDS);
  if (late.count > 0) {
    faults.push(
      `CREATED though the expiry has passed: ${examplesOf(late.examples ?? [], late.count)}. ` +
        'Does a process with the background role run?',
    );
  }
  const verdict = faults.length > 0 ? fault(faults.join(' ')) : fine(agreement(examined));
  return withStop(stopped, verdict);
}

function agreement(examined: number): string {
  return examined === 1
    ? '1 payment request agrees with its events and its timeline.'
    : `${examined} payment requests agree with their events and their timeline.`;
}
