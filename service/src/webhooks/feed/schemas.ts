import { type Static, type TSchema, Type } from 'typebox';
import { limitParameter } from '#http/json/list-parameters.ts';
import { LinkSchema } from '#http/json/list-schemas.ts';
import {
  ALL_EVENT_TYPES,
  EVENT_TYPE_FACTS,
  EVENT_TYPES,
  type ResourceType,
  SPECIFIED_EVENT_TYPES,
} from '#webhooks/model/event-types.ts';

/** Equal to the reading of one payment request (contract §4, Read). */
const LONGEST_WAIT_SECONDS = 30;

/** Stands for the cursor after the latest event. A real cursor is never this short. */
export const LATEST = 'latest';

/** The parameters of GET /events (delivery §3). */
export const FeedQuerySchema = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'The nextCursor of the answer before; left out: from the oldest event kept; latest: ' +
          'only what happens from now on.',
      }),
    ),
    eventTypes: Type.Optional(
      Type.Array(Type.Enum([...EVENT_TYPES, ALL_EVENT_TYPES]), {
        description:
          `Only these events, repeated or with commas; left out: ` +
          `${SPECIFIED_EVENT_TYPES.join(' and ')}; ${ALL_EVENT_TYPES}: all, also those that ` +
          'later versions add. nextCursor is a place among the events of all types: with another ' +
          'eventTypes it leads to the events after that place only.',
      }),
    ),
    limit: limitParameter('How many events an answer holds at most.'),
    waitSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LONGEST_WAIT_SECONDS,
        description: 'Waits this long at most for an event, where there is none yet.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type FeedQuery = Static<typeof FeedQuerySchema>;

/** The schemas of what the events show. */
export interface ResourceSchemas {
  readonly paymentRequest: TSchema;
  readonly refund: TSchema;
}

/** An answer of the feed. */
export function feedSchema({ paymentRequest, refund }: ResourceSchemas) {
  const event = Type.Union([
    eventSchema('Event', 'Payment Requests API', paymentRequest),
    eventSchema('RefundEvent', 'Payments API', refund),
  ]);
  return Type.Object(
    {
      data: Type.Array(event, { description: 'Oldest first.' }),
      hasMore: Type.Boolean({
        description: 'Whether more can be read at once, also when data is empty.',
      }),
      nextCursor: Type.String({ description: 'The after of the next call; always present.' }),
      links: Type.Array(LinkSchema, { description: 'self and next.' }),
    },
    { title: 'EventFeed' },
  );
}

function eventSchema(title: string, resourceType: ResourceType, resource: TSchema) {
  const types = EVENT_TYPES.filter((type) => EVENT_TYPE_FACTS[type].resourceType === resourceType);
  return Type.Object(
    {
      eventType: Type.Enum(types),
      message: Type.String({ description: 'The event in words, for people.' }),
      resourceType: Type.Literal(resourceType),
      resource,
      id: Type.String({ format: 'uuid', description: 'The value of webhook-id.' }),
      createdDateTime: Type.String({ format: 'date-time' }),
      sequence: Type.Integer({
        minimum: 1,
        description: 'Counts the events of one payment request, of every type, from 1.',
      }),
    },
    { title, description: 'A webhook’s body, byte for byte.' },
  );
}
