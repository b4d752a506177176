import { amountNumber } from '#lib/money.ts';
import { STATUS_REASONS } from '#payment-requests/model/statuses.ts';
import { shownExcerpt } from '#webhooks/https/answer-excerpt.ts';
import { DELIVERY_OUTCOMES } from '#webhooks/model/outcomes.ts';
import type { TimelineEntry } from './read-timeline.ts';

/** An entry as the timeline shows it: `type` and `dateTime`, then what belongs to the type. */
export function timelineEntryMembers(entry: TimelineEntry) {
  const requestId = 'requestId' in entry ? (entry.requestId ?? undefined) : undefined;
  return { type: entry.type, dateTime: entry.occurredAt, requestId, ...detailsOf(entry) };
}

/** `undefined` is left out. */
function detailsOf(entry: TimelineEntry): object {
  switch (entry.type) {
    case 'STATUS_CHANGED': {
      const { status, cause, reasonCode: code } = entry.details;
      const statusReason = code ? { code, message: STATUS_REASONS[code] } : undefined;
      return { status, cause, statusReason };
    }
    case 'WEBHOOK_ATTEMPTED': {
      const { details } = entry;
      return {
        eventId: details.eventId,
        eventType: details.eventType,
        sequence: details.sequence,
        deliveryId: details.deliveryId,
        endpointId: details.endpointId ?? undefined,
        url: details.url,
        attempt: details.attempt,
        outcome: details.outcome,
        message: DELIVERY_OUTCOMES[details.outcome],
        httpStatus: details.httpStatus ?? undefined,
        responseBody:
          details.responseBody === null ? undefined : shownExcerpt(details.responseBody),
        durationMs: details.durationMs,
      };
    }
    case 'PART_RECEIVED': {
      const { amountCents, receivedCents } = entry.details;
      return { amount: amountNumber(amountCents), amountReceived: amountNumber(receivedCents) };
    }
    case 'MONEY_RETURNED': {
      const { amountCents, reason } = entry.details;
      return { amount: amountNumber(amountCents), reason };
    }
    case 'REFUND_CHANGED': {
      const { refundId, merchantRefundId, amountCents, status, reasonCode } = entry.details;
      return {
        refundId,
        merchantRefundId: merchantRefundId ?? undefined,
        amount: amountNumber(amountCents),
        status,
        reasonCode: reasonCode ?? undefined,
      };
    }
    case 'MESSAGE_CHANGED': {
      const { reason, ...details } = entry.details;
      return { ...details, reason: reason ?? undefined };
    }
    default:
      return entry.details;
  }
}
