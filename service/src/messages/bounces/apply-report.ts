import type { Clock } from '#lib/clock.ts';
import { formatInstant } from '#lib/instant.ts';
import { type UndeliveredDeps, writeUndelivered } from '#messages/outbox/write-undelivered.ts';
import { insertSuppression } from '#messages/refusal/suppression-store.ts';
import type { MessageMetrics } from '#telemetry/metrics/messages/message-metrics.ts';
import { findByToken, markBounced, noteReport } from './bounce-store.ts';
import type { DeliveryReport } from './parse-report.ts';

export interface BounceDeps extends UndeliveredDeps {
  readonly clock: Clock;
  readonly metrics: Pick<MessageMetrics, 'mailReported' | 'messageEnded'>;
  /** `MAIL_BOUNCE_DOMAIN` */
  readonly domain: string;
}

/** There is no such mailbox or domain, for ever (RFC 3463): each further mail hurts the sender. */
const DEAD = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10']);

/** The result of a report. LATER: the exchange that handed the mail over is not recorded yet. */
export type ReportOutcome = 'SUPPRESSED' | 'BOUNCED' | 'NOTED' | 'UNKNOWN' | 'LATER';

/** Whether a mail that left in the last 14 days, and did not come back, has this token. */
export async function isExpected({ db }: BounceDeps, token: Buffer): Promise<boolean> {
  return (await findByToken(db, token)) !== undefined;
}

/**
 * Applies a report to the message that it is about (messages §5). A failure for ever ends the
 * message BOUNCED, once, and tells the merchant of a link; an address that does not exist gets no
 * further message of the merchant. Delays are noted.
 *
 * @param report null: the mail is no report
 */
export async function applyReport(
  deps: BounceDeps,
  token: Buffer | null,
  report: DeliveryReport | null,
): Promise<ReportOutcome> {
  const outcome = token && report ? await apply(deps, token, report) : 'UNKNOWN';
  if (outcome !== 'LATER') deps.metrics.mailReported(outcome);
  return outcome;
}

async function apply(
  deps: BounceDeps,
  token: Buffer,
  { action, status }: DeliveryReport,
): Promise<ReportOutcome> {
  const { db, clock, metrics } = deps;
  const found = await findByToken(db, token);
  if (!found) return 'UNKNOWN';
  if (found.status === 'SCHEDULED') return 'LATER';
  const { id, kind, channel, merchantId, paymentRequestId, addressHash } = found;
  const endDateTime = formatInstant(clock.now());
  const attempt = { readDateTime: null, endDateTime, outcome: `${action.toUpperCase()} ${status}` };
  if (action !== 'failed' || !status.startsWith('5.')) {
    await noteReport(db, id, attempt);
    return 'NOTED';
  }
  const linkOf = kind === 'REQUEST' ? paymentRequestId : null;
  const isWritten = await writeUndelivered(deps, linkOf, async (tx) => {
    if (!(await markBounced(tx, id, token, attempt))) return false;
    if (DEAD.has(status)) {
      await insertSuppression(tx, merchantId, channel, addressHash, 'BOUNCED', id);
    }
    return true;
  });
  if (!isWritten) return 'UNKNOWN';
  metrics.messageEnded(kind, channel, 'BOUNCED');
  return DEAD.has(status) ? 'SUPPRESSED' : 'BOUNCED';
}
