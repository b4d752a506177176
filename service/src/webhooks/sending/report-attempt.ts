import type { Log } from '#telemetry/log/log.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import type { OperatorNotice } from '#telemetry/metrics/webhook-metrics.ts';
import { Remembered } from '#webhooks/https/remembered.ts';
import { type AttemptResult, MOST_URLS } from '#webhooks/https/send-webhook.ts';
import { NIL_PAYMENT_REQUEST } from '#webhooks/model/delivery.ts';
import type { WrittenAttempt } from './attempt-batcher.ts';
import { attemptLine } from './attempt-line.ts';
import type { ClaimedDelivery } from './lease-store.ts';
import type { DestinationNotice } from './update-breakers.ts';

/** The hosts of URLs. */
const hosts = new Remembered<string>(MOST_URLS);

type AttemptLog = Pick<Log, 'info' | 'warn' | 'writeInfo'>;

export interface ReportAttemptDeps {
  readonly log: AttemptLog;
  readonly metrics: Pick<Metrics, 'operatorNotice'>;
}

export interface ReportedAttempt {
  readonly delivery: ClaimedDelivery;
  readonly result: AttemptResult;
  /** null: the lease had ended, nothing was written. */
  readonly recorded: WrittenAttempt | null;
  /**
   * The time from the event's commit to the start of its first attempt; null for later attempts.
   */
  readonly lagMs: number | null;
}

/**
 * Writes one wide line an attempt, and a notice where an operator should know: no payer data, no
 * secret, of the URL only the host.
 */
export function reportAttempt(
  { log, metrics }: ReportAttemptDeps,
  reported: ReportedAttempt,
): void {
  const { delivery, result, recorded } = reported;
  writeLine(log, reported);
  if (recorded === null) return;
  if (recorded.endpointPaused) {
    metrics.operatorNotice('ENDPOINT_PAUSED');
    log.warn({ ...idsOf(delivery), reason: 'GONE' }, 'webhook endpoint paused');
  }
  for (const notice of recorded.notices) {
    metrics.operatorNotice(noticeOf(notice, delivery));
    reportNotice(log, notice, delivery);
  }
  // A tester of an endpoint looks at the answer: that is nobody else's to do.
  if (recorded.status === 'EXHAUSTED' && delivery.paymentRequestId !== NIL_PAYMENT_REQUEST) {
    metrics.operatorNotice('DELIVERY_EXHAUSTED');
    const attempt = delivery.attempts + 1;
    const { outcome } = result;
    log.warn({ ...idsOf(delivery), attempt, outcome }, 'webhook delivery exhausted');
  }
}

function writeLine(log: AttemptLog, reported: ReportedAttempt): void {
  const { delivery, result, recorded, lagMs } = reported;
  const host = hosts.get(delivery.url, hostOf) || undefined;
  const isOver = recorded !== null && recorded.nextAttemptAt === null;
  const members = isOver ? attemptLine({ delivery, result, host, lagMs }) : null;
  if (members !== null) {
    log.writeInfo(members, 'webhook attempt');
    return;
  }
  log.info(
    {
      ...idsOf(delivery),
      eventType: delivery.eventType,
      sequence: delivery.sequence,
      host,
      address: result.address ?? undefined,
      attempt: delivery.attempts + 1,
      isProbe: delivery.isProbe || undefined,
      outcome: result.outcome,
      httpStatus: result.httpStatus ?? undefined,
      reason: result.errorCode || undefined,
      durationMs: Math.round(result.durationMs),
      lagMs: lagMs === null ? undefined : Math.round(lagMs),
      retryAfterSeconds: result.retryAfterSeconds ?? undefined,
      nextAttemptAt: recorded?.nextAttemptAt ?? undefined,
    },
    recorded ? 'webhook attempt' : 'webhook attempt came after its lease had ended',
  );
}

/** A URL without an endpoint cannot be paused: its deliveries are given up. */
function noticeOf({ change }: DestinationNotice, { endpointId }: ClaimedDelivery): OperatorNotice {
  if (change === 'WELL') return 'ENDPOINT_WELL';
  if (change === 'FAILING') return 'ENDPOINT_FAILING';
  return endpointId === null ? 'DELIVERIES_GIVEN_UP' : 'ENDPOINT_PAUSED';
}

/**
 * Reports the change of a destination: of an endpoint, or of the origin of a merchant's webhook
 * URLs.
 */
function reportNotice(
  log: Pick<Log, 'info' | 'warn'>,
  { change, exhausted }: DestinationNotice,
  { merchantId, endpointId, url }: ClaimedDelivery,
): void {
  const about = {
    merchantId,
    endpointId: endpointId ?? undefined,
    host: hosts.get(url, hostOf) || undefined,
  };
  if (change === 'WELL') log.info(about, 'webhook endpoint answers again');
  else if (change === 'FAILING') log.warn(about, 'webhook endpoint failing');
  else if (endpointId !== null)
    log.warn({ ...about, reason: 'FAILING' }, 'webhook endpoint paused');
  else log.warn({ ...about, count: exhausted }, 'webhook deliveries given up');
}

/** The identifiers by which a delivery is found again. */
export function idsOf(delivery: ClaimedDelivery) {
  return {
    deliveryId: delivery.id,
    eventId: delivery.eventId,
    paymentRequestId: delivery.paymentRequestId,
    merchantId: delivery.merchantId,
    endpointId: delivery.endpointId ?? undefined,
  };
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
