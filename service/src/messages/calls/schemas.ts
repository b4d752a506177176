import { type Static, Type } from 'typebox';
import { PAGE_PARAMETERS } from '#http/json/list-parameters.ts';
import { pageOf } from '#http/json/list-schemas.ts';
import { KINDS } from '#messages/model/kinds.ts';
import { ChannelSchema } from '#payment-requests/model/messages/delivery.ts';
import {
  MessageReasonSchema,
  MessageStatusSchema,
} from '#payment-requests/model/messages/link-message.ts';

/** The parameters of GET /payment-requests/{id}/messages (messages §2). */
export const MessageQuerySchema = Type.Object(PAGE_PARAMETERS, { additionalProperties: false });
export type MessageQuery = Static<typeof MessageQuerySchema>;

const instant = (description: string) => Type.String({ format: 'date-time', description });

/** The body of POST /payment-requests/{id}/messages; it may be left out. */
export const NewMessageSchema = Type.Object(
  {
    channel: Type.Optional(ChannelSchema),
  },
  { title: 'NewMessage', description: 'Without a channel: as deliveryMode says.' },
);
export type NewMessageBody = Static<typeof NewMessageSchema>;

/** A message to a payer, as it is answered. */
export const MessageSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: Type.Enum([...KINDS], { title: 'MessageKind', description: 'More may be added.' }),
    channel: ChannelSchema,
    status: MessageStatusSchema,
    scheduledDateTime: instant('When it was or is due.'),
    sentDateTime: Type.Optional(instant('When the mail server took it.')),
    attempts: Type.Integer({ minimum: 0, description: 'How many were made.' }),
    attemptLog: Type.Array(
      Type.Object({
        readDateTime: Type.Optional(
          instant('When the payment request was read last, before the recipient was named.'),
        ),
        endDateTime: instant('When the exchange ended.'),
        outcome: Type.String({ description: 'SENT, another status, or the code of a fault.' }),
      }),
      { description: 'The attempts of the last 90 days, oldest first.' },
    ),
    reason: Type.Optional(MessageReasonSchema),
    preview: Type.Optional(
      Type.Object(
        { subject: Type.Optional(Type.String()), text: Type.String() },
        { description: 'In the sandbox, which sends nothing: what a payer would read.' },
      ),
    ),
  },
  { title: 'Message' },
);

export const MessageListSchema = pageOf(MessageSchema, 'MessageList');
