import { shownExcerpt } from '#webhooks/https/answer-excerpt.ts';
import { END_REASONS, type WebhookDelivery } from '#webhooks/model/delivery.ts';
import { DELIVERY_OUTCOMES } from '#webhooks/model/outcomes.ts';
import type { DeliveryAttempt } from './list-store.ts';

/** A delivery as it is answered (delivery §3); `undefined` is left out. */
export function deliveryMembers(delivery: WebhookDelivery) {
  const code = delivery.endedBecause ?? 'ATTEMPTS_EXHAUSTED';
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    test: delivery.isTest || undefined,
    paymentRequestId: delivery.paymentRequestId,
    endpointId: delivery.endpointId,
    url: delivery.url,
    status: delivery.status,
    statusReason:
      delivery.status === 'EXHAUSTED' ? { code, message: END_REASONS[code] } : undefined,
    attempts: delivery.attempts,
    nextAttemptDateTime: delivery.nextAttemptAt,
    createdDateTime: delivery.createdAt,
    completedDateTime: delivery.completedAt ?? undefined,
  };
}

/** An attempt: of the answer its status and at most 1 KiB, no address (the guard, point 6). */
export function attemptMembers(attempt: DeliveryAttempt) {
  const { responseBody } = attempt;
  return {
    attempt: attempt.attempt,
    startedDateTime: attempt.startedAt,
    durationMs: attempt.durationMs,
    outcome: attempt.outcome,
    message: DELIVERY_OUTCOMES[attempt.outcome],
    httpStatus: attempt.httpStatus ?? undefined,
    responseBody: responseBody === null ? undefined : shownExcerpt(responseBody),
    dnsMs: attempt.dnsMs ?? undefined,
    connectMs: attempt.connectMs ?? undefined,
    tlsMs: attempt.tlsMs ?? undefined,
    firstByteMs: attempt.firstByteMs ?? undefined,
    sandboxAdvanced: attempt.isAdvanced || undefined,
  };
}
