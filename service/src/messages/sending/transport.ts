import type { Mail, SendResult } from '#lib/mail/mailer.ts';
import type { ClaimedMessage } from '#messages/model/message.ts';
import type { SandboxOutcome } from '#messages/model/sandbox-outcomes.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';

/** A message as it leaves. */
export interface OutgoingMessage {
  readonly message: ClaimedMessage;
  readonly address: string;
  /** An SMS has a text alone. */
  readonly mail: Mail;
}

/** The way of a channel to payers. */
export interface Transport {
  /** The end of a message, where it is known at once; null: the message was handed over. */
  readonly outcomeOf: (outgoing: OutgoingMessage) => SandboxOutcome | null;
  /**
   * Hands a message over. Rejects with a `MailFault`.
   * @param check runs right before the recipient is named; false: nothing is sent
   */
  send(
    outgoing: OutgoingMessage,
    signal: AbortSignal,
    check: () => Promise<boolean>,
  ): Promise<SendResult>;
  /** Whether the transport keeps what it "sent" in the sandbox's inbox. */
  readonly hasInbox: boolean;
}

/** The transports of this deployment, by channel. */
export type Transports = Readonly<Partial<Record<Channel, Transport>>>;
