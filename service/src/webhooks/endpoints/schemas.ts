import { type Static, type TSchema, Type } from 'typebox';
import { pageOf } from '#http/json/list-schemas.ts';
import { NO_CONTROL_CHARACTERS, PRINTABLE_ASCII, USERNAME } from '#lib/text-forms.ts';
import { ENDPOINT_STATUSES, PAUSE_REASONS } from '#webhooks/model/endpoint.ts';
import {
  ALL_EVENT_TYPES,
  EVENT_TYPES,
  SPECIFIED_EVENT_TYPES,
} from '#webhooks/model/event-types.ts';

/** A week: a merchant who needs longer has not begun. 0 ends the older secret at once. */
export const LONGEST_OVERLAP_HOURS = 168;

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'The HTTPS address for events; it must be publicly reachable. In production the operator ' +
    'must have registered its origin for the merchant.',
});
const EventTypes = Type.Array(Type.Enum([...EVENT_TYPES, ALL_EVENT_TYPES]), {
  minItems: 1,
  description:
    `Only these events; left out: ${SPECIFIED_EVENT_TYPES.join(' and ')}. ` +
    `["${ALL_EVENT_TYPES}"]: all, also those that later versions add.`,
});
const Description = Type.String({
  minLength: 1,
  maxLength: 250,
  pattern: NO_CONTROL_CHARACTERS,
  description: 'Your own note.',
});
const Username = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: USERNAME,
  description: 'The username for calls of the listener (HTTP Basic); created when absent.',
});
const Password = Type.String({
  minLength: 8,
  maxLength: 256,
  pattern: PRINTABLE_ASCII,
  description: 'The password for it; made when left out, and answered then.',
});

/** The path of everything that belongs to one endpoint. */
export const EndpointParamsSchema = Type.Object({
  id: Type.String({ description: 'The webhook endpoint’s id.' }),
});

/** Calls without parameters. */
export const NoQuerySchema = Type.Object({}, { additionalProperties: false });

/** The body of calls that need none. */
export const EmptyBodySchema = Type.Object({});

/** The body of POST /webhook-endpoints (delivery §3). */
export const NewEndpointSchema = Type.Object({
  url: Url,
  eventTypes: Type.Optional(EventTypes),
  description: Type.Optional(Description),
  username: Type.Optional(Username),
  password: Type.Optional(Password),
});
export type NewEndpointBody = Static<typeof NewEndpointSchema>;

function removable<Schema extends TSchema & { readonly type: string }>(
  schema: Schema,
  description: string,
) {
  return Type.Optional(
    Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'], description }),
  );
}

/** The body of PATCH /webhook-endpoints/{id}: a JSON Merge Patch. */
export const EndpointUpdateSchema = Type.Object({
  url: Type.Optional(Url),
  eventTypes: removable(
    EventTypes,
    `Only these events; ["${ALL_EVENT_TYPES}"]: all; null: ${SPECIFIED_EVENT_TYPES.join(' and ')}.`,
  ),
  description: removable(Description, 'Your own note; null takes it away.'),
  username: removable(
    Username,
    'The username for the listener from now on; null creates a new one.',
  ),
  password: removable(
    Password,
    'The password from now on; null creates a new one, which is answered.',
  ),
  status: Type.Optional(
    Type.Enum([...ENDPOINT_STATUSES], {
      description: 'PAUSED holds what the endpoint is owed; ACTIVE lets it flow again.',
    }),
  ),
});
export type EndpointUpdateBody = Static<typeof EndpointUpdateSchema>;

/** The body of POST /webhook-endpoints/{id}/rotate-secret; it may be left out. */
export const RotationSchema = Type.Object({
  overlapHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LONGEST_OVERLAP_HOURS,
      default: 24,
      description: 'How long the older secret signs beside the new one; 0 ends it at once.',
    }),
  ),
  force: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Rotate during an overlap too: the oldest secret then signs no more.',
    }),
  ),
});

/** An endpoint as it is answered. */
export const EndpointSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    url: Type.String({ format: 'uri' }),
    eventTypes: Type.Optional(EventTypes),
    description: Type.Optional(Type.String()),
    status: Type.Enum([...ENDPOINT_STATUSES]),
    statusReason: Type.Optional(
      Type.Object(
        { code: Type.Enum(Object.keys(PAUSE_REASONS)), message: Type.String() },
        { description: 'Why it is PAUSED.' },
      ),
    ),
    username: Type.String({ description: 'The username for calls of the listener (HTTP Basic).' }),
    password: Type.Optional(
      Type.String({ description: 'Only in the answer of the call that made or took it.' }),
    ),
    signingSecret: Type.String({
      description: 'Whole only when it is new (whsec_…); else its beginning and an ellipsis.',
    }),
    previousSecretExpiryDateTime: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Until then the secret before this one signs as well.',
      }),
    ),
    createdDateTime: Type.String({ format: 'date-time' }),
  },
  { title: 'WebhookEndpoint' },
);

export const EndpointListSchema = pageOf(EndpointSchema, 'WebhookEndpointList');
