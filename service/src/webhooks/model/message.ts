import { formatInstant } from '#lib/instant.ts';
import { EVENT_TYPE_FACTS, type WebhookEventType } from './event-types.ts';

export interface WebhookMessage {
  readonly id: string;
  readonly eventType: WebhookEventType;
  /** A sentence that gives the event's context. */
  readonly message: string;
  /** The payment request or refund as reading answers it at that status: JSON text, unchanged. */
  readonly resource: string;
  readonly createdAt: Date;
  /** Counts the events of one payment request, from 1. */
  readonly sequence: number;
}

/** Renders the body of a webhook, once for all its attempts (contract §6). */
export function renderWebhookMessage(event: WebhookMessage): string {
  const head = JSON.stringify({
    eventType: event.eventType,
    message: event.message,
    resourceType: EVENT_TYPE_FACTS[event.eventType].resourceType,
  });
  const tail = JSON.stringify({
    id: event.id,
    createdDateTime: formatInstant(event.createdAt),
    sequence: event.sequence,
  });
  return `${head.slice(0, -1)},"resource":${event.resource},${tail.slice(1)}`;
}
