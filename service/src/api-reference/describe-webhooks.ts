import { Type } from 'typebox';
import { PaymentRequestSchema } from '#payment-requests/model/answer-schemas.ts';
import {
  FAILED_EXAMPLE,
  PAID_EXAMPLE,
  RETURNED_EXAMPLE,
  UNDELIVERED_EXAMPLE,
} from '#payment-requests/model/examples.ts';
import { RefundSchema } from '#refunds/model/answer-schemas.ts';
import { COMPLETED_REFUND_EXAMPLE, FAILED_REFUND_EXAMPLE } from '#refunds/model/examples.ts';
import { EVENT_TYPE_FACTS, type WebhookEventType } from '#webhooks/model/event-types.ts';
import type { HoistedSchemas } from './hoist-schemas.ts';

interface DescribedEvent {
  readonly eventType: WebhookEventType;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly message: string;
  readonly resource: object;
}

const ON_REQUEST =
  'Sent to webhook endpoints that ask for it: name it in eventTypes of POST or PATCH ' +
  '/webhook-endpoints, or give * there. The feed shows it with eventTypes of GET /events.';
const REFUND_URL = 'It also goes to the refund’s own webhookUrl.';

const EVENTS: readonly DescribedEvent[] = [
  {
    eventType: 'PAYMENT-COMPLETED',
    operationId: 'paymentCompleted',
    summary: 'A payment has been completed',
    description: 'The payment request is PAID: tell the customer and fulfil the order.',
    message: 'The payer completed the transaction.',
    resource: PAID_EXAMPLE,
  },
  {
    eventType: 'PAYMENT-FAILED',
    operationId: 'paymentFailed',
    summary: 'A payment has failed',
    description:
      'The payment request is FAILED, EXPIRED or CANCELLED: its status and statusReason say ' +
      'which and why. Do not fulfil the order.',
    message: 'The payer’s account does not hold enough money.',
    resource: FAILED_EXAMPLE,
  },
  {
    eventType: 'PAYMENT-RETURNED',
    operationId: 'paymentReturned',
    summary: 'The money of a payment has been returned',
    description:
      'The network or a bank took back money of a payment request that is PAID. Its status stays ' +
      `PAID, and refundSummary shows the returned amount: release nothing. ${ON_REQUEST}`,
    message: EVENT_TYPE_FACTS['PAYMENT-RETURNED'].sentence,
    resource: RETURNED_EXAMPLE,
  },
  {
    eventType: 'REFUND-COMPLETED',
    operationId: 'refundCompleted',
    summary: 'A refund has been completed',
    description: `The network has executed the refund. ${ON_REQUEST} ${REFUND_URL}`,
    message: EVENT_TYPE_FACTS['REFUND-COMPLETED'].sentence,
    resource: COMPLETED_REFUND_EXAMPLE,
  },
  {
    eventType: 'REFUND-FAILED',
    operationId: 'refundFailed',
    summary: 'A refund has failed',
    description:
      'The refund is FAILED: its statusReason says why, and its amount is available again. A ' +
      `refund that was COMPLETED fails when its money comes back. ${ON_REQUEST} ${REFUND_URL}`,
    message: FAILED_REFUND_EXAMPLE.statusReason.message,
    resource: FAILED_REFUND_EXAMPLE,
  },
  {
    eventType: 'MESSAGE-UNDELIVERED',
    operationId: 'messageUndelivered',
    summary: 'The link did not arrive',
    description:
      'The message with the payment link was refused, came back or was held back, so that the ' +
      'payer knows of nothing. linkMessage says why; the payment request stays as it is. ' +
      ON_REQUEST,
    message: EVENT_TYPE_FACTS['MESSAGE-UNDELIVERED'].sentence,
    resource: UNDELIVERED_EXAMPLE,
  },
];

const DELIVERY =
  'Sent to your HTTPS listener at least once, in order for each payment request, until it ' +
  'answers 2xx within 15 seconds: 11 attempts over 75 hours. Verify webhook-signature over the ' +
  'bytes that came. Store the event and its webhook-id in one transaction, answer 2xx, then ' +
  'work; answer 2xx to a webhook-id that you know, and do nothing.';

const TestMark = Type.Optional(
  Type.Literal(true, {
    description:
      'A test that you asked for: its payment request is complete, has the nil UUID and does not ' +
      'exist.',
  }),
);

/** A webhook's body (contract §6). */
function eventSchema(eventType: WebhookEventType) {
  const { resourceType } = EVENT_TYPE_FACTS[eventType];
  return Type.Object({
    eventType: Type.Literal(eventType),
    message: Type.String({ description: 'The event in words, for people.' }),
    resourceType: Type.Literal(resourceType),
    resource: resourceType === 'Payments API' ? RefundSchema : PaymentRequestSchema,
    id: Type.String({ format: 'uuid', description: 'The event’s id, as in webhook-id.' }),
    createdDateTime: Type.String({ format: 'date-time' }),
    sequence: Type.Integer({
      minimum: 1,
      description:
        'Counts the events of one payment request, of every type, from 1. A listener that is ' +
        'sent some types only sees gaps.',
    }),
    ...(eventType === 'PAYMENT-FAILED' && { test: TestMark }),
  });
}

/** The headers of Standard Webhooks 1.0. */
const HEADERS: readonly (readonly [string, string, string])[] = [
  [
    'webhook-id',
    'The event’s id: the same in every attempt.',
    '018f2c7e-bcd3-7a10-9f21-5e6d7c8b9a01',
  ],
  ['webhook-timestamp', 'When this attempt was made, in seconds since 1970.', '1772366410'],
  [
    'webhook-signature',
    'Signatures with a space between them, each v1 and a base64 HMAC-SHA-256 over ' +
      'webhook-id.webhook-timestamp.body. The key is your signing secret without whsec_, decoded ' +
      'from base64. Accept the webhook if one signature is right.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
];

/** The calls that the service makes itself (OpenAPI 3.1, `webhooks`). */
export function describeWebhooks({ hoist }: HoistedSchemas): Record<string, object> {
  return Object.fromEntries(
    EVENTS.map((event) => [event.eventType, { post: describeEvent(event, hoist) }]),
  );
}

function describeEvent(event: DescribedEvent, hoist: HoistedSchemas['hoist']): object {
  const { eventType, operationId, summary, description, message, resource } = event;
  const value = {
    eventType,
    message,
    resourceType: EVENT_TYPE_FACTS[eventType].resourceType,
    resource,
    id: '018f2c7e-bcd3-7a10-9f21-5e6d7c8b9a01',
    createdDateTime: '2026-03-01T12:00:10.003Z',
    sequence: 1,
  };
  return {
    operationId,
    summary,
    description: `${description}\n\n${DELIVERY}`,
    tags: ['Webhooks'],
    security: [{ listenerCredentials: [] }],
    parameters: HEADERS.map(([name, meaning, example]) => ({
      name,
      in: 'header',
      required: true,
      description: meaning,
      schema: { type: 'string' },
      example,
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: hoist(eventSchema(eventType)),
          examples: { event: { summary, value } },
        },
      },
    },
    responses: {
      '2XX': { description: 'You have stored the event: it is not sent again.' },
      410: { description: 'You want nothing more at this address.' },
      '4XX': { description: 'It is sent again later.' },
      '5XX': { description: 'It is sent again later, after a minute at least.' },
    },
  };
}
