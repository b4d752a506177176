import type { DatabaseDeps } from '#database/database.ts';
import { passFailpoint } from '#lib/failpoints/failpoint.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import {
  type AttemptResult,
  type OutgoingWebhook,
  SentTooLate,
  type WebhookSender,
} from '#webhooks/https/send-webhook.ts';
import { isAdvanced } from '#webhooks/model/advanced.ts';
import { NIL_PAYMENT_REQUEST } from '#webhooks/model/delivery.ts';
import { nextStep } from '#webhooks/model/retry-schedule.ts';
import type { AttemptRecorder } from './attempt-batcher.ts';
import type { DeliveryFaults } from './delivery-faults.ts';
import { type ClaimedDelivery, releaseDeliveries } from './lease-store.ts';
import { openDelivery } from './open-delivery.ts';
import { idsOf, reportAttempt } from './report-attempt.ts';

/** A delivery that this process cannot open is left for one that can, or for a repair. */
const UNOPENED_WAIT_SECONDS = 60;

export interface AttemptDeps extends DatabaseDeps {
  readonly log: Pick<Log, 'info' | 'warn' | 'error' | 'writeInfo'>;
  readonly metrics: Pick<Metrics, 'deliveryAttempt' | 'operatorNotice'>;
  readonly sender: WebhookSender;
  readonly recorder: AttemptRecorder;
  /** `SECRETS_KEY`, and the key that it replaces. */
  readonly secretsKey: RotatingKey;
  /** The wait before each attempt, after the one before; the first is made at once. */
  readonly scheduleSeconds: readonly number[];
  /** A number from 0 up to but not 1. */
  readonly random: () => number;
  /** null: this is no sandbox, and webhooks never misbehave. */
  readonly faults: DeliveryFaults | null;
}

export interface Lease {
  /** When the claim came back, by the steady clock. */
  readonly claimedAtMs: number;
  /** A record might hit no row from this time on. */
  readonly endsAtMs: number;
  /**
   * Whether an exchange that begins now ends under the lease. It asks the steady clock and the
   * calendar: the steady one may stand still while a virtual machine is suspended.
   */
  readonly mayStillSend: () => boolean;
}

/**
 * Makes one attempt of a claimed delivery: opens its secrets, sends, records under the lease.
 *
 * @returns whether a later event of the same payment request has waited for this one to be over
 * @throws what the database threw, when the attempt could not be recorded: the end of the lease
 *         brings the delivery back
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  delivery: ClaimedDelivery,
  lease: Lease,
): Promise<boolean> {
  const webhook = await openOrRelease(deps, delivery);
  if (webhook === null) return false;
  const { clock, metrics } = deps;
  const attempt = delivery.attempts + 1;
  // A delivery that was held for a destination in trouble has not waited for us.
  const isFirst = attempt === 1 && delivery.serialisedAt === null;
  const lagMs = isFirst ? delivery.ageMs + clock.steadyMs() - lease.claimedAtMs : null;
  const startedAt = clock.now();
  const { faults } = deps;
  const { misbehaviour } = delivery;
  const outgoing = faults && misbehaviour ? faults.webhook(webhook, misbehaviour) : webhook;
  const result = await sendInTime(deps, outgoing, lease);
  if (result === null) return giveUpLease(deps, delivery);
  passFailpoint('webhook-answered');
  const { outcome, durationMs } = result;
  const { eventType } = delivery;
  metrics.deliveryAttempt({ eventType, outcome, attempt, durationMs, lagMs });
  const recorded = await record(deps, delivery, lease, { result, startedAt });
  reportAttempt(deps, { delivery, result, recorded, lagMs });
  return recorded?.nextWaits ?? false;
}

function record(
  deps: AttemptDeps,
  delivery: ClaimedDelivery,
  lease: Lease,
  { result, startedAt }: { readonly result: AttemptResult; readonly startedAt: Date },
) {
  const { id, leaseToken, destination, endpointId, url, urlKey, isProbe } = delivery;
  const counted = delivery.attempts - delivery.uncountedAttempts;
  const planned = nextStep(
    { schedule: scheduleOf(deps, delivery), random: deps.random },
    result,
    // A probe stands where the delivery stood.
    isProbe ? Math.max(counted, 1) : counted + 1,
    endpointId !== null,
  );
  const { faults } = deps;
  const { misbehaviour } = delivery;
  const next =
    faults && misbehaviour ? faults.nextStep(planned, result.outcome, misbehaviour) : planned;
  const { durationMs, times, outcome, httpStatus, address, retryAfterSeconds } = result;
  const attempt = {
    id,
    leaseToken,
    destination,
    endpointId,
    url,
    urlKey,
    isProbe,
    isAdvanced: isAdvanced(delivery),
    startedAt,
    durationMs,
    times,
    outcome,
    httpStatus,
    address,
    retryAfterSeconds,
    nextStatus: next.status,
    delaySeconds: next.delaySeconds,
    pauseEndpoint: next.pauseEndpoint,
    // A listener may answer with what it knows of the payer.
    responseBody: delivery.isErased ? null : result.responseExcerpt,
    isSerialised: delivery.serialisedAt !== null,
  };
  return deps.recorder.record(attempt, lease.endsAtMs);
}

/** @returns null where the lease is nearly over: nothing was sent */
async function sendInTime(
  { sender }: AttemptDeps,
  webhook: OutgoingWebhook,
  { mayStillSend }: Lease,
): Promise<AttemptResult | null> {
  try {
    return await sender.send(webhook, mayStillSend);
  } catch (error) {
    if (error instanceof SentTooLate) return null;
    throw error;
  }
}

/** Another sender may have the delivery: nothing was sent, and nothing is recorded. */
async function giveUpLease({ db, log }: AttemptDeps, delivery: ClaimedDelivery): Promise<false> {
  log.warn(idsOf(delivery), 'webhook not sent: its lease is nearly over');
  await releaseDeliveries(db, [delivery], 0);
  return false;
}

/** A test is tried once: its caller reads the result. */
function scheduleOf({ scheduleSeconds }: AttemptDeps, { paymentRequestId }: ClaimedDelivery) {
  return paymentRequestId === NIL_PAYMENT_REQUEST ? scheduleSeconds.slice(0, 1) : scheduleSeconds;
}

async function openOrRelease(
  { db, log, secretsKey }: AttemptDeps,
  delivery: ClaimedDelivery,
): Promise<OutgoingWebhook | null> {
  try {
    return openDelivery(secretsKey, delivery);
  } catch (error) {
    // Our fault, not the listener's: no attempt is used up.
    log.error({ ...idsOf(delivery), err: error }, 'webhook delivery cannot be opened');
    await releaseDeliveries(db, [delivery], UNOPENED_WAIT_SECONDS);
    return null;
  }
}
