import { Type } from 'typebox';

/** The statuses of a message to a payer (messages §2). */
export const MESSAGE_STATUSES = [
  'SCHEDULED',
  'SENT',
  'DELIVERED',
  'BOUNCED',
  'FAILED',
  'SUPPRESSED',
  'CANCELLED',
] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Why a message ended, with the sentence that merchants read. */
export const MESSAGE_REASONS = {
  NO_LONGER_TRUE: 'What the message says was no longer true when its time came.',
  NO_ADDRESS: 'The payer has no address for this channel any more.',
  REFUSED_BY_SERVER: 'The payer’s mail server refused the address.',
  CONTENT_REFUSED: 'The mail server, or the provider of SMS, refused the message.',
  ADDRESS_INVALID: 'No mail can be sent to this address.',
  OUT_OF_TIME: 'Neither mail server nor provider of SMS took the message for 24 hours.',
  LIMIT: 'The merchant sends an address at most 10 messages a day.',
  BOUNCED: 'The message came back.',
  NOT_DELIVERED: 'The provider of SMS could not deliver the message.',
  RECIPIENT_REFUSED: 'The recipient wants no more messages from this merchant.',
  OPTED_OUT: 'The recipient wants no more reminders from this merchant.',
} as const;
export type MessageReason = keyof typeof MESSAGE_REASONS;

/** The latest message with the link, as the answers show it (messages §1). */
export interface LinkMessage {
  readonly id: string;
  readonly status: MessageStatus;
  readonly reason: MessageReason | null;
  /** When the status was reached; while SCHEDULED, when the message is due. */
  readonly at: Date;
}

export const MessageStatusSchema = Type.Enum([...MESSAGE_STATUSES], { title: 'MessageStatus' });

/** No list: the page of each call that answers a payment request would have it. */
export const MessageReasonSchema = Type.String();

export const LinkMessageSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    status: MessageStatusSchema,
    reason: Type.Optional(MessageReasonSchema),
    dateTime: Type.String({ format: 'date-time' }),
  },
  { title: 'LinkMessage', description: 'The latest one.' },
);
