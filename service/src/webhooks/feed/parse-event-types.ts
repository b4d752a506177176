import type { FieldFault } from '#lib/problem.ts';
import { eventTypesFault } from '#webhooks/endpoints/check-fields.ts';
import {
  ALL_EVENT_TYPES,
  EVENT_TYPES,
  SPECIFIED_EVENT_TYPES,
  type WebhookEventType,
} from '#webhooks/model/event-types.ts';

/** The types that a call of the feed shows; null: all, those of later versions too. */
export type ShownEventTypes = readonly WebhookEventType[] | null;

/**
 * Reads the parameter `eventTypes`. Without it the feed keeps to the specified types
 * (contract §11). The schema refuses unknown types.
 */
export function parseEventTypes(asked: unknown): ShownEventTypes | FieldFault {
  if (!Array.isArray(asked)) return SPECIFIED_EVENT_TYPES;
  if (!asked.includes(ALL_EVENT_TYPES)) return EVENT_TYPES.filter((type) => asked.includes(type));
  return eventTypesFault(asked);
}
