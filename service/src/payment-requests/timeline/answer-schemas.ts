import { Type } from 'typebox';
import { pageOf } from '#http/json/list-schemas.ts';
import { StatusReasonSchema, StatusSchema } from '#payment-requests/model/answer-schemas.ts';
import { CANCELLATION_REASONS } from '#payment-requests/model/cancellation-reasons.ts';
import { ChannelSchema } from '#payment-requests/model/messages/delivery.ts';
import {
  MessageReasonSchema,
  MessageStatusSchema,
} from '#payment-requests/model/messages/link-message.ts';
import { CAUSES } from '#payment-requests/model/statuses.ts';
import { OPERATOR_CASES } from '#telemetry/metrics/network-metrics.ts';
import { EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { DELIVERY_OUTCOMES } from '#webhooks/model/outcomes.ts';

const dateTime = Type.String({ format: 'date-time' });
const requestId = Type.Optional(
  Type.String({ description: 'The X-Request-Id of the call that did it, if a call did.' }),
);

const StatusChangedSchema = Type.Object({
  type: Type.Literal('STATUS_CHANGED'),
  dateTime,
  requestId,
  status: StatusSchema,
  cause: Type.Enum([...CAUSES]),
  statusReason: Type.Optional(StatusReasonSchema),
});

const LinkOpenedSchema = Type.Object({ type: Type.Literal('LINK_OPENED'), dateTime, requestId });

const PayerStepSchema = Type.Object({
  type: Type.Literal('PAYER_STEP'),
  dateTime,
  requestId,
  step: Type.String({ description: 'The act of the payer.' }),
});

const CancellationRequestedSchema = Type.Object({
  type: Type.Literal('CANCELLATION_REQUESTED'),
  dateTime,
  requestId,
  reason: Type.Optional(Type.Enum([...CANCELLATION_REASONS])),
  comment: Type.Optional(Type.String()),
  requestedBy: Type.Optional(
    Type.Literal('OPERATOR', { description: 'The operator of the service cancelled, not you.' }),
  ),
});

const UpdatedSchema = Type.Object({
  type: Type.Literal('UPDATED'),
  dateTime,
  requestId,
  fields: Type.Array(Type.String(), { description: 'The fields that changed.' }),
});

const amount = (description: string) => Type.Number({ minimum: 0, description });

const PartReceivedSchema = Type.Object({
  type: Type.Literal('PART_RECEIVED'),
  dateTime,
  requestId,
  amount: amount('The part of the amount that arrived.'),
  amountReceived: amount('All parts so far.'),
});

const MoneyReturnedSchema = Type.Object({
  type: Type.Literal('MONEY_RETURNED'),
  dateTime,
  requestId,
  amount: amount('The amount that the network or a bank took back.'),
  reason: Type.Optional(Type.String({ description: 'The reason code of the bank, as in AC04.' })),
});

const RefundChangedSchema = Type.Object({
  type: Type.Literal('REFUND_CHANGED'),
  dateTime,
  requestId,
  refundId: Type.String({ format: 'uuid' }),
  merchantRefundId: Type.Optional(Type.String({ description: 'Your own id of the refund.' })),
  amount: amount('The amount that goes back.'),
  status: Type.Enum(['CREATED', 'PROCESSING', 'COMPLETED', 'FAILED'], {
    description: 'The status that the refund reached. More may be added.',
  }),
  reasonCode: Type.Optional(Type.String({ description: 'Why it FAILED.' })),
});

const MessageChangedSchema = Type.Object({
  type: Type.Literal('MESSAGE_CHANGED'),
  dateTime,
  messageId: Type.String({ format: 'uuid' }),
  kind: Type.String({ description: 'The kind of the message, as in REQUEST.' }),
  channel: ChannelSchema,
  status: MessageStatusSchema,
  reason: Type.Optional(MessageReasonSchema),
});

const CaseSettledSchema = Type.Object({
  type: Type.Literal('CASE_SETTLED'),
  dateTime,
  kind: Type.Enum([...OPERATOR_CASES], {
    description: 'The matter of money that the operator of the service settled.',
  }),
  settlement: Type.Enum(['ACCEPTED', 'ASSIGNED', 'REFUNDED', 'REPLACED', 'SPLIT', 'CLOSED']),
});

const SandboxNoteSchema = Type.Object({
  type: Type.Literal('SANDBOX_NOTE'),
  dateTime,
  requestId,
  message: Type.String({ description: 'A probable mistake of the call, in words.' }),
});

const WebhookAttemptedSchema = Type.Object({
  type: Type.Literal('WEBHOOK_ATTEMPTED'),
  dateTime,
  eventId: Type.String({ format: 'uuid' }),
  eventType: Type.Enum([...EVENT_TYPES]),
  sequence: Type.Integer({ minimum: 1 }),
  deliveryId: Type.String({ format: 'uuid' }),
  endpointId: Type.Optional(Type.String({ format: 'uuid' })),
  url: Type.String({ format: 'uri' }),
  attempt: Type.Integer({ minimum: 1, description: 'The number of the attempt.' }),
  outcome: Type.Enum(Object.keys(DELIVERY_OUTCOMES)),
  message: Type.String({ description: 'The outcome in words.' }),
  httpStatus: Type.Optional(Type.Integer({ description: 'The status of the listener’s answer.' })),
  responseBody: Type.Optional(
    Type.String({ maxLength: 1_024, description: 'The beginning of its answer.' }),
  ),
  durationMs: Type.Integer({ minimum: 0 }),
});

const TimelineEntrySchema = Type.Union(
  [
    StatusChangedSchema,
    LinkOpenedSchema,
    PayerStepSchema,
    CancellationRequestedSchema,
    UpdatedSchema,
    PartReceivedSchema,
    MoneyReturnedSchema,
    RefundChangedSchema,
    CaseSettledSchema,
    MessageChangedSchema,
    SandboxNoteSchema,
    WebhookAttemptedSchema,
  ],
  { title: 'TimelineEntry', description: 'Told apart by type; more types may be added.' },
);

/** A page of a payment request's timeline (contract §4, Timeline). */
export const TimelineSchema = pageOf(TimelineEntrySchema, 'Timeline');
