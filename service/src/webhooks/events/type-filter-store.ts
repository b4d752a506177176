import { ALL_EVENT_TYPES, SPECIFIED_EVENT_TYPES } from '#webhooks/model/event-types.ts';

const SPECIFIED = SPECIFIED_EVENT_TYPES.map((type) => `'${type}'`).join(', ');

/**
 * The condition that an endpoint's filter lets an event's type pass. An endpoint without a filter
 * gets the types of the interface specification (contract §11).
 *
 * @param filter SQL of the endpoint's `event_types`
 * @param type   SQL of the event's type
 */
export function passesFilter(filter: string, type: string): string {
  return `(CASE WHEN ${filter} IS NULL THEN ${type} IN (${SPECIFIED})
    ELSE ${filter} && ARRAY[${type}, '${ALL_EVENT_TYPES}'] END)`;
}
