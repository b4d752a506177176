import type { Clock } from '#lib/clock.ts';
import { newId } from '#lib/new-id.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';
import type {
  MessageReason,
  MessageStatus,
} from '#payment-requests/model/messages/link-message.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { addressOf, type MessageKind } from './kinds.ts';

/** The members that name a message. */
export interface MessageNames {
  readonly id: string;
  readonly paymentRequestId: string;
  readonly merchantId: string;
  readonly kind: MessageKind;
  readonly channel: Channel;
}

/** A message that the transaction of its cause writes. */
export interface NewMessage extends MessageNames {
  readonly number: number;
  readonly refundId: string | null;
  readonly isAsked: boolean;
  readonly dueAt: Date;
  /** When it is tried first; in the sandbox later than it is due for some addresses. */
  readonly firstAttemptAt: Date;
}

export interface NewMessageDeps {
  readonly clock: Clock;
  /** How much later a message is tried, in seconds: the sandbox has slow addresses. */
  readonly delaySeconds: (address: string | null) => number;
}

/** A message about a payment request: the first of its kind, due now if nothing else is given. */
export function newMessage(
  { clock, delaySeconds }: NewMessageDeps,
  p: PaymentRequest,
  given: Pick<NewMessage, 'kind' | 'channel'> & Partial<Omit<NewMessage, 'firstAttemptAt'>>,
): NewMessage {
  const { dueAt = clock.now() } = given;
  const lateMs = delaySeconds(addressOf(p, given.channel)) * 1_000;
  return {
    ...{ id: newId(), paymentRequestId: p.id, merchantId: p.merchant.id },
    ...{ number: 0, refundId: null, isAsked: false, ...given, dueAt },
    firstAttemptAt: new Date(dueAt.getTime() + lateMs),
  };
}

/** A message whose lease this process holds. */
export interface ClaimedMessage extends Omit<NewMessage, 'number' | 'firstAttemptAt'> {
  /** The end of the first attempt; now, where this is the first. */
  readonly triedSince: Date;
  /** This attempt included. */
  readonly attempts: number;
}

/** The fields of a log line about a message. */
export function aboutOf({
  id,
  merchantId,
  paymentRequestId,
  kind,
  channel,
  attempts,
}: ClaimedMessage) {
  return { messageId: id, merchantId, paymentRequestId, kind, channel, attempt: attempts };
}

/** An attempt, or a report about one, as the list shows it. */
export interface MessageAttempt {
  /** When the payment request was read last, before the recipient was named; null: never. */
  readonly readDateTime: string | null;
  readonly endDateTime: string;
  /** SENT, or a code without any text of the server, which may name the recipient. */
  readonly outcome: string;
}

/** A message as it is listed. */
export interface StoredMessage extends MessageNames {
  readonly status: MessageStatus;
  readonly reason: MessageReason | null;
  readonly dueAt: Date;
  readonly sentAt: Date | null;
  /** null: the message has ended. */
  readonly nextAttemptAt: Date | null;
  readonly attempts: number;
  readonly attemptLog: readonly MessageAttempt[];
  readonly createdAt: Date;
  /** In the sandbox: what was "sent". */
  readonly preview: Pick<InboxContent, 'subject' | 'text'> | null;
}

/** The content of a message that the sandbox keeps instead of sending it. */
export interface InboxContent {
  readonly subject: string | null;
  readonly text: string;
  readonly html: string | null;
  readonly headers: string | null;
}
