import type { FieldFault } from '#lib/problem.ts';
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
 * (contract §11). The schema refuses what is no text.
 */
export function parseEventTypes(text: unknown): ShownEventTypes | FieldFault {
  if (typeof text !== 'string' || text === '') return SPECIFIED_EVENT_TYPES;
  if (text === ALL_EVENT_TYPES) return null;
  const asked = text.split(',');
  const shown = EVENT_TYPES.filter((type) => asked.includes(type));
  return asked.every((type) => isEventType(type)) ? shown : UNKNOWN_TYPE;
}

function isEventType(text: string): boolean {
  return (EVENT_TYPES as readonly string[]).includes(text);
}

const UNKNOWN_TYPE: FieldFault = {
  field: 'eventTypes',
  code: 'INVALID_VALUE',
  message:
    `Give eventTypes as ${ALL_EVENT_TYPES}, or as some of ${EVENT_TYPES.join(', ')} with commas ` +
    'between them.',
};
