import { createHash } from 'node:crypto';
import { systemClock } from '#lib/clock.ts';
import { passFailpoint } from '#lib/failpoints/failpoint.ts';
import { formatInstant } from '#lib/instant.ts';
import { type Mail, MailFault } from '#lib/mail/mailer.ts';
import { isMailAddress } from '#messages/mail/mail-address.ts';
import { newReturnPath } from '#messages/mail/return-path.ts';
import { MESSAGE_KINDS, reachedAddress, type Subject } from '#messages/model/kinds.ts';
import { aboutOf, type ClaimedMessage } from '#messages/model/message.ts';
import { waitAfter } from '#messages/model/retry-schedule.ts';
import { heldBackBy } from '#messages/model/suppression.ts';
import { quietTimes } from '#messages/outbox/quiet-time.ts';
import { findSuppressions } from '#messages/refusal/suppression-store.ts';
import { renderMessage, renderSms } from '#messages/rendering/render-message.ts';
import type { MessageReason } from '#payment-requests/model/messages/link-message.ts';
import { checkAddressLimit, UNTIL_LEFT_SECONDS } from './address-limit.ts';
import { extendLease } from './claim-store.ts';
import { readMerchant, readSubject, readTakenBack } from './read-subject.ts';
import { breakChannel, recordOutcome, type SendMessagesDeps } from './record-outcome.ts';
import { type AttemptRecord, countDataRefusal, recordAttempt } from './record-store.ts';
import type { OutgoingMessage, Transport } from './transport.ts';

/** Lasts from the last read to the end of the data, with statements on a silent connection. */
const LEASE_FROM_READ_SECONDS = 90;

/** A subject that was read longer ago is read again before the recipient is named (messages §3). */
const LONGEST_READ_MS = 2_000;
/** A database that takes longer each time has other troubles: the message is claimed again. */
const MOST_READS = 2;

/** Refused mails in a row that open the breaker: the server is to blame, not the mails (§3). */
const MOST_DATA_REFUSALS = 20;

/** A message that changed while it was rendered is rendered again at once. */
const AT_ONCE = 0;

/** Sends a message that this process has leased, and records what became of it. */
export async function attemptMessage(
  deps: SendMessagesDeps,
  message: ClaimedMessage,
  leaseToken: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = deps;
  const subject = await readSubject(db, message, clock.now());
  const { smsCountryCode, timeZone } = deps.settings;
  const address =
    subject && reachedAddress(subject.paymentRequest, message.channel, smsCountryCode);
  const transport = deps.transports[message.channel];
  const record = (outcome: Partial<AttemptRecord>) =>
    recordOutcome(deps, message, { ...untried(message.id, leaseToken), ...outcome });
  const end = (status: 'CANCELLED' | 'FAILED', reason: MessageReason) => record({ status, reason });
  if (!subject || !isTrue(message, subject)) return end('CANCELLED', 'NO_LONGER_TRUE');
  // A deployment that has lost its channel keeps what it owes until it is out of time.
  if (!transport) return record(putOff(Infinity, message.dueAt, clock.now()));
  const earlier = await readTakenBack(db, message);
  if (earlier === 'NEVER_LEFT') return end('CANCELLED', 'NO_LONGER_TRUE');
  if (earlier === 'LEAVING') return record({ waitSeconds: UNTIL_LEFT_SECONDS });
  const quietTime = await quietTimes(db, timeZone, subject.paymentRequest, message);
  const now = clock.now();
  const quietMs = quietTime(now).getTime() - now.getTime();
  if (quietMs > 0) return record({ waitSeconds: quietMs / 1_000 });
  if (address === null) return end('CANCELLED', 'NO_ADDRESS');
  if (message.channel === 'EMAIL' && !isMailAddress(address)) {
    return end('FAILED', 'ADDRESS_INVALID');
  }
  const { merchantId, channel } = message;
  const addressHash = await deps.key.hashAddress(db, channel, address);
  const held = heldBackBy(
    message.kind,
    await findSuppressions(db, merchantId, channel, addressHash),
  );
  if (held) return record({ status: 'SUPPRESSED', reason: held, addressHash });
  const { mail, language, template } = await render(deps, message, subject, address);
  const rendered = {
    ...untried(message.id, leaseToken),
    addressHash,
    language,
    template,
    contentHash: createHash('sha256').update(`${mail.subject}\n${mail.text}`).digest(),
  };
  await send(deps, { message, address, mail }, subject, transport, rendered, signal);
}

async function send(
  deps: SendMessagesDeps,
  { message, address, mail: content }: OutgoingMessage,
  subject: Subject,
  transport: Transport,
  rendered: AttemptRecord & { readonly addressHash: Buffer },
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = deps;
  const { mailBounceDomain: domain } = deps.settings;
  const inboxOutcome = transport.outcomeOf({ message, address, mail: content });
  const isReal = inboxOutcome === null;
  const path =
    isReal && message.channel === 'EMAIL' && domain !== null ? newReturnPath(domain) : null;
  const mail = path ? { ...content, returnPath: path.address } : content;
  const bounceHash = path?.hash ?? null;
  let readAt: Date | null = null;
  let stopped: Partial<AttemptRecord> = { waitSeconds: AT_ONCE };
  const check = async () => {
    const { leaseToken, addressHash } = rendered;
    const isHeld = await db.transaction(async (tx) => {
      const over = isReal && (await checkAddressLimit(tx, deps, message, addressHash));
      if (over) stopped = over;
      const seconds = LEASE_FROM_READ_SECONDS;
      return !over && extendLease(tx, message.id, leaseToken, seconds, addressHash, bounceHash);
    });
    if (!isHeld) return false;
    for (let reads = 0; reads < MOST_READS; reads++) {
      const startedMs = systemClock.steadyMs();
      readAt = clock.now();
      const now = await readSubject(db, message, readAt);
      if (!now || !isTrue(message, now)) {
        stopped = { status: 'CANCELLED', reason: 'NO_LONGER_TRUE' };
        return false;
      }
      // A change of the payment request may have changed the address, or what the message says.
      if (now.paymentRequest.version !== subject.paymentRequest.version) return false;
      if (systemClock.steadyMs() - startedMs > LONGEST_READ_MS) continue;
      passFailpoint('message-read-last');
      return true;
    }
    return false;
  };
  const attempt = (outcome: string) => ({
    readDateTime: readAt && formatInstant(readAt),
    endDateTime: formatInstant(clock.now()),
    outcome,
  });
  try {
    const result = await transport.send({ message, address, mail }, signal, check);
    if (result === 'STOPPED')
      return await recordOutcome(deps, message, { ...rendered, ...stopped });
    passFailpoint('message-sent');
    const known = inboxOutcome ?? ({ status: 'SENT', reason: null } as const);
    const hasLeft = known.status !== 'SUPPRESSED' && known.status !== 'FAILED';
    const record = { ...rendered, ...known, hasLeft, attempt: attempt(known.status) };
    await recordOutcome(deps, message, record, transport.hasInbox ? mail : null);
  } catch (error) {
    if (!(error instanceof MailFault)) throw error;
    await recordFault(deps, message, { ...rendered, attempt: attempt(error.reason) }, error);
  }
}

/** Only the refusal of the recipient or of the whole mail ends a message (messages §3). */
async function recordFault(
  deps: SendMessagesDeps,
  message: ClaimedMessage,
  record: AttemptRecord,
  fault: MailFault,
): Promise<void> {
  const { kind, reason } = fault;
  const { db, clock } = deps;
  deps.log.warn({ ...aboutOf(message), reason, kind }, 'message not sent');
  const ends: Partial<Record<typeof kind, MessageReason>> = {
    RECIPIENT: 'REFUSED_BY_SERVER',
    CONTENT: 'CONTENT_REFUSED',
  };
  const before = kind === 'CONTENT' ? await countDataRefusal(db, message.channel) : 0;
  if (before >= MOST_DATA_REFUSALS) await breakChannel(deps, db, message.channel, reason);
  const final = before > MOST_DATA_REFUSALS ? undefined : ends[kind];
  const outcome = (): Partial<AttemptRecord> => {
    if (final) return { status: 'FAILED', reason: final };
    // The server's own fault ends no message: all wait behind the breaker.
    if (kind === 'SERVER') return { waitSeconds: AT_ONCE };
    return putOff(message.attempts, message.triedSince, clock.now());
  };
  await recordOutcome(deps, message, { ...record, ...outcome() }, null, fault);
}

/** The outcome of a message that cannot be sent now: a wait, and the end after a day. */
function putOff(attempts: number, since: Date, now: Date): Partial<AttemptRecord> {
  const waitSeconds = waitAfter(attempts, since, now);
  return waitSeconds === null ? { status: 'FAILED', reason: 'OUT_OF_TIME' } : { waitSeconds };
}

async function render(
  deps: SendMessagesDeps,
  message: ClaimedMessage,
  subject: Subject,
  to: string,
): Promise<Pick<AttemptRecord, 'template'> & { readonly mail: Mail; readonly language: string }> {
  const templateId = subject.paymentRequest.messagePlan?.templateId ?? null;
  const merchant = await readMerchant(deps.db, message.merchantId, templateId);
  const { id, kind, channel } = message;
  if (channel === 'SMS' && (kind === 'REQUEST' || kind === 'REMINDER' || kind === 'CANCELLATION')) {
    const { language, text } = renderSms(kind, subject, merchant, deps.settings);
    const name = merchant.profile.displayName ?? subject.paymentRequest.merchant.name;
    const fromName = merchant.smsSender ?? name;
    return { mail: { id, to, subject: '', text, fromName }, language, template: null };
  }
  const token = await deps.key.tokenOf(deps.db, id);
  const refusalUrl = new URL(`/messages/${token}`, deps.settings.publicApiUrl).href;
  const shown = { ...merchant, refusalUrl };
  const { language, ...content } = renderMessage(kind, subject, shown, deps.settings);
  return { mail: { id, to, ...content }, language, template: merchant.template };
}

function isTrue({ kind }: ClaimedMessage, subject: Subject): boolean {
  return MESSAGE_KINDS[kind].isTrue(subject);
}

/**
 * Records an attempt that a fault of this service ended: the message waits like any other, and is
 * out of time after a day.
 */
export async function recordOwnFault(
  deps: SendMessagesDeps,
  message: ClaimedMessage,
  leaseToken: string,
): Promise<void> {
  const now = deps.clock.now();
  const outcome = putOff(message.attempts, message.triedSince, now);
  const record = { ...untried(message.id, leaseToken), ...outcome };
  if (record.status !== null) return recordOutcome(deps, message, record);
  const endDateTime = formatInstant(now);
  const attempt = { readDateTime: null, endDateTime, outcome: 'INTERNAL_ERROR' };
  // Such a fault says nothing of the mail server, whose breaker `recordOutcome` would close.
  await recordAttempt(deps.db, { ...record, attempt });
}

/** A record of a message that was not handed over. */
function untried(id: string, leaseToken: string): AttemptRecord {
  return {
    id,
    leaseToken,
    status: null,
    reason: null,
    waitSeconds: null,
    attempt: null,
    hasLeft: false,
    addressHash: null,
    language: null,
    contentHash: null,
    template: null,
  };
}
