import { randomUUID } from 'node:crypto';
import type { Executor } from '#database/database.ts';
import { LONGEST_EXCHANGE_MS, type Mailer, MailFault } from '#lib/mail/mailer.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import {
  type ClaimedNotice,
  claimNotice,
  completeNotice,
  postponeNotice,
  pruneNotices,
} from './notice-store.ts';
import { renderMail } from './render-mail.ts';

/**
 * The waits after each failed attempt, in seconds: 1 min, 5 min, 30 min, 2 h, 6 h, 12 h, 24 h,
 * 24 h.
 * Servers that put strangers off accept after minutes; a mail server may be down for a weekend.
 */
const RETRY_SECONDS = [60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400] as const;
/** The longest e-mail, and statements that meet one silent connection each (12 s). */
const LEASE_SECONDS = LONGEST_EXCHANGE_MS / 1_000 + 50;
/** Equal to the deliveries of webhooks: an operator may be asked what was sent. */
const KEPT_DAYS = 90;
/** Some milliseconds' work. */
const PRUNED_AT_ONCE = 200;

export interface SendNoticesDeps {
  readonly db: Executor;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly metrics: Pick<Metrics, 'operatorNotice'>;
  /** null: no mail server is configured. */
  readonly mailer: Mailer | null;
  /** No money moves there: nobody is alerted for want of an e-mail. */
  readonly isSandbox: boolean;
}

/**
 * Sends the notice that is due for longest, at least once: a process may end between the e-mail and
 * its record. A notice that cannot be sent ends with an operator's alert.
 *
 * @returns whether there was one
 */
export async function sendNextNotice(deps: SendNoticesDeps, signal: AbortSignal): Promise<boolean> {
  const leaseToken = randomUUID();
  const notice = await claimNotice(deps.db, leaseToken, LEASE_SECONDS);
  if (!notice) return false;
  const { mailer } = deps;
  if (!mailer || notice.email === null) {
    const reason = mailer ? 'NO_ADDRESS' : 'NO_MAIL_SERVER';
    await tellOperator(deps, notice, leaseToken, reason);
    return true;
  }
  try {
    const mail = { id: notice.id, to: notice.email, ...renderMail(notice) };
    await mailer.send(mail, signal);
  } catch (error) {
    if (!(error instanceof MailFault)) throw error;
    await afterFault(deps, notice, leaseToken, error);
    return true;
  }
  await completeNotice(deps.db, notice.id, leaseToken, 'SENT');
  deps.log.info(aboutOf(notice), 'merchant notice sent');
  return true;
}

/** Deletes a small batch of old notices. Returns whether more are due. */
export async function pruneOldNotices(db: Executor): Promise<boolean> {
  return (await pruneNotices(db, KEPT_DAYS, PRUNED_AT_ONCE)) === PRUNED_AT_ONCE;
}

async function afterFault(
  deps: SendNoticesDeps,
  notice: ClaimedNotice,
  leaseToken: string,
  { reason, kind }: MailFault,
): Promise<void> {
  deps.log.warn({ ...aboutOf(notice), reason }, 'merchant notice not sent');
  const wait = kind === 'RECIPIENT' ? undefined : RETRY_SECONDS[notice.attempts - 1];
  if (wait === undefined) await tellOperator(deps, notice, leaseToken, reason);
  else await postponeNotice(deps.db, notice.id, leaseToken, wait);
}

/** The alert goes first: a process that ends in between repeats it. */
async function tellOperator(
  { db, log, metrics, isSandbox }: SendNoticesDeps,
  notice: ClaimedNotice,
  leaseToken: string,
  reason: string,
): Promise<void> {
  if (!isSandbox) metrics.operatorNotice('MERCHANT_NOT_NOTIFIED');
  log[isSandbox ? 'info' : 'warn']({ ...aboutOf(notice), reason }, 'merchant not notified');
  await completeNotice(db, notice.id, leaseToken, 'OPERATOR');
}

function aboutOf({ merchantId, kind, paymentRequestId, attempts }: ClaimedNotice) {
  return {
    merchantId,
    kind,
    paymentRequestId: paymentRequestId ?? undefined,
    attempt: attempts,
  };
}
