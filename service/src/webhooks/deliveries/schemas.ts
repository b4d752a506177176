import { type Static, Type } from 'typebox';
import { PAGE_PARAMETERS } from '#http/json/list-parameters.ts';
import { pageOf } from '#http/json/list-schemas.ts';
import { UUID } from '#lib/text-forms.ts';
import {
  DELIVERY_ORDERS,
  DELIVERY_STATUSES,
  END_REASONS,
  LAST_ANSWERS,
} from '#webhooks/model/delivery.ts';
import { EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { DELIVERY_OUTCOMES } from '#webhooks/model/outcomes.ts';

/** The format alone takes a `urn:uuid:` before it, too. */
const Uuid = (description: string) => Type.String({ format: 'uuid', pattern: UUID, description });

export const DeliveryParamsSchema = Type.Object({
  id: Type.String({ description: 'The webhook delivery’s id.' }),
});

/** The parameters of GET /webhook-deliveries (delivery §3). */
export const DeliveryQuerySchema = Type.Object(
  {
    paymentRequestId: Type.Optional(Uuid('Only events of this payment request.')),
    endpointId: Type.Optional(Uuid('Only to this endpoint, also a deleted one.')),
    status: Type.Optional(
      Type.Array(Type.Enum([...DELIVERY_STATUSES]), {
        description: 'Only in these statuses; repeated or with commas.',
      }),
    ),
    ...PAGE_PARAMETERS,
  },
  { additionalProperties: false },
);
export type DeliveryQuery = Static<typeof DeliveryQuerySchema>;

/** The parameters of the console's list, which narrows by the latest attempt too. */
export const ShownDeliveryQuerySchema = Type.Object(
  {
    ...DeliveryQuerySchema.properties,
    lastAnswer: Type.Optional(Type.Enum([...LAST_ANSWERS])),
    order: Type.Optional(Type.Enum([...DELIVERY_ORDERS])),
  },
  { additionalProperties: false },
);
export type ShownDeliveryQuery = Static<typeof ShownDeliveryQuerySchema>;

const DELIVERY_MEMBERS = {
  id: Type.String({ format: 'uuid' }),
  eventId: Type.String({ format: 'uuid', description: 'The webhook-id of every attempt.' }),
  eventType: Type.Enum([...EVENT_TYPES]),
  test: Type.Optional(Type.Literal(true, { description: 'A test of the endpoint, no event.' })),
  paymentRequestId: Type.String({ format: 'uuid', description: 'The nil UUID for a test.' }),
  endpointId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
    description: 'null: the payment request’s own webhookUrl.',
  }),
  url: Type.String({
    description: 'The URL of the delivery; after its end, the URL of its last attempt.',
  }),
  status: Type.Enum([...DELIVERY_STATUSES]),
  statusReason: Type.Optional(
    Type.Object(
      { code: Type.Enum(Object.keys(END_REASONS)), message: Type.String() },
      { description: 'Why it is EXHAUSTED.' },
    ),
  ),
  attempts: Type.Integer({ minimum: 0, description: 'How many were made.' }),
  nextAttemptDateTime: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'null when it is over. What a paused endpoint is owed is held beyond it.',
  }),
  createdDateTime: Type.String({ format: 'date-time' }),
  completedDateTime: Type.Optional(Type.String({ format: 'date-time' })),
};

/** A delivery as it is answered. */
export const DeliverySchema = Type.Object(DELIVERY_MEMBERS, { title: 'WebhookDelivery' });

const timing = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, description: `${description}; in milliseconds.` }));

const AttemptSchema = Type.Object(
  {
    attempt: Type.Integer({ minimum: 1 }),
    startedDateTime: Type.String({ format: 'date-time' }),
    durationMs: Type.Integer({ minimum: 0, description: 'The whole exchange.' }),
    outcome: Type.Enum(Object.keys(DELIVERY_OUTCOMES)),
    message: Type.String({ description: 'The outcome in words.' }),
    httpStatus: Type.Optional(Type.Integer()),
    responseBody: Type.Optional(
      Type.String({ description: 'The beginning of the answer, at most 1 KiB.' }),
    ),
    dnsMs: timing('Resolving the name; absent on a connection that was kept'),
    connectMs: timing('Connecting'),
    tlsMs: timing('Agreeing on TLS'),
    firstByteMs: timing('The time from the start to the head of the answer'),
    sandboxAdvanced: Type.Optional(
      Type.Literal(true, { description: 'A call of the sandbox brought it forward.' }),
    ),
  },
  { title: 'WebhookAttempt' },
);

/** A delivery with its attempts. */
export const DeliveryWithAttemptsSchema = Type.Object(
  {
    ...DELIVERY_MEMBERS,
    attemptLog: Type.Array(AttemptSchema, {
      description: 'The latest 100 attempts of the last 90 days, oldest first.',
    }),
  },
  { title: 'WebhookDeliveryWithAttempts' },
);

export const DeliveryListSchema = pageOf(DeliverySchema, 'WebhookDeliveryList');
