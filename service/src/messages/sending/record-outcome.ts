import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { Mail, MailFault } from '#lib/mail/mailer.ts';
import type { MessageKey } from '#messages/addresses/message-key.ts';
import { headersOf } from '#messages/mail/smtp-mailer.ts';
import type { ClaimedMessage } from '#messages/model/message.ts';
import { UNDELIVERED } from '#messages/model/undelivered.ts';
import { type UndeliveredDeps, writeUndelivered } from '#messages/outbox/write-undelivered.ts';
import type { RenderSettings } from '#messages/rendering/render-message.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { MessageMetrics } from '#telemetry/metrics/messages/message-metrics.ts';
import {
  type AttemptRecord,
  closeBreaker,
  keepInInbox,
  openBreaker,
  recordAttempt,
} from './record-store.ts';
import type { Transports } from './transport.ts';

export interface SendMessagesDeps extends UndeliveredDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: MessageMetrics;
  readonly settings: RenderSettings & {
    readonly publicApiUrl: string;
    /** `SMS_COUNTRY_CODE` */
    readonly smsCountryCode: string;
    /** `MAIL_BOUNCE_DOMAIN`; null: mails come back to `MAIL_FROM`. */
    readonly mailBounceDomain: string | null;
    /** `MAIL_FROM` */
    readonly mailFrom: string | null;
  };
  readonly transports: Transports;
  readonly key: MessageKey;
  /** `MAIL_RATE` */
  readonly ratePerSecond: number;
  /** `MAIL_HOURLY_LIMIT` and `SMS_HOURLY_LIMIT`, for merchants without their own. */
  readonly hourlyLimits: Readonly<Record<Channel, number>>;
}

/** A breaker lets one message through so often (messages §3). */
export const PROBE_SECONDS = 60;

/**
 * Records the outcome of an attempt under its lease, with the webhook event of a link that did not
 * arrive, in one transaction.
 *
 * @param kept what the sandbox "sent"
 */
export async function recordOutcome(
  deps: SendMessagesDeps,
  message: ClaimedMessage,
  record: AttemptRecord,
  kept: Mail | null = null,
  fault: MailFault | null = null,
): Promise<void> {
  const { status } = record;
  const isUndelivered =
    message.kind === 'REQUEST' && status !== null && UNDELIVERED.includes(status);
  const content = kept && (await contentOf(deps, message, kept));
  // Open before the message is due again: the next claim already finds the breaker.
  if (record.attempt && fault?.kind === 'SERVER') {
    await breakChannel(deps, deps.db, message.channel, fault.reason);
  }
  await writeUndelivered(deps, isUndelivered ? message.paymentRequestId : null, async (tx) => {
    if (!(await recordAttempt(tx, record))) return false;
    if (content) await keepInInbox(tx, message.id, content);
    return true;
  });
  if (status !== null) deps.metrics.messageEnded(message.kind, message.channel, status);
  const isWell = !fault || fault.kind === 'RECIPIENT';
  if (record.attempt && isWell) await closeBreaker(deps.db, message.channel);
}

/** The content that the sandbox's inbox shows; the sandbox may have no sender. */
async function contentOf(
  { settings: { mailFrom, publicApiUrl } }: SendMessagesDeps,
  { channel }: ClaimedMessage,
  mail: Mail,
) {
  const { subject, text, html = null } = mail;
  if (channel === 'SMS') return { subject: null, text, html, headers: null };
  const from = mailFrom ?? `payments@${new URL(publicApiUrl).hostname}`;
  return { subject, text, html, headers: await headersOf(mail, from) };
}

/** Opens the breaker of a channel, and says so once. */
export async function breakChannel(
  { log, metrics }: SendMessagesDeps,
  db: Executor,
  channel: Channel,
  reason: string,
): Promise<void> {
  if (!(await openBreaker(db, channel, reason, PROBE_SECONDS))) return;
  metrics.channelBroken(channel);
  log.error({ channel, reason }, 'mail server refuses the service');
}
