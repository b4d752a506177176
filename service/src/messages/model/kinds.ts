import type { Channel } from '#payment-requests/model/messages/delivery.ts';
import { knownEmail } from '#payment-requests/model/messages/email-address.ts';
import { smsNumber } from '#payment-requests/model/messages/sms-number.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { hasPayment, isOpen, isReachedBy } from '#payment-requests/model/statuses.ts';
import type { RefundStatus } from '#refunds/model/statuses.ts';

/** The subject of a message, as it is now. */
export interface Subject {
  /** An expiry that has passed counts, written or not. */
  readonly paymentRequest: PaymentRequest;
  /** The refund of a message about one; null: the message is about none. */
  readonly refund: SubjectRefund | null;
}

export interface SubjectRefund {
  readonly id: string;
  readonly amountCents: number;
  readonly status: RefundStatus;
}

export interface KindFacts {
  /** Whether the message still says the truth. */
  readonly isTrue: (subject: Subject) => boolean;
  /** It asks for money: it waits while the merchant is suspended. */
  readonly asksForMoney: boolean;
  /** Other messages go before it. */
  readonly isReminder: boolean;
  /** It takes back what this one said: it is sent only after that one has left. */
  readonly takesBack?: 'REQUEST' | 'REFUND_RECEIPT';
}

const isPayable = ({ paymentRequest }: Subject) => isOpen(paymentRequest.status);

/**
 * Every kind of message to a payer, and what makes it untrue (messages §2). The sender reads the
 * subject right before the recipient is named to the mail server, and sends nothing untrue.
 */
export const MESSAGE_KINDS = {
  REQUEST: { isTrue: isPayable, asksForMoney: true, isReminder: false },
  REMINDER: { isTrue: isPayable, asksForMoney: true, isReminder: true },
  RECEIPT: {
    isTrue: ({ paymentRequest }) => hasPayment(paymentRequest.status),
    asksForMoney: false,
    isReminder: false,
  },
  REFUND_RECEIPT: {
    isTrue: ({ refund }) => refund?.status === 'COMPLETED',
    asksForMoney: false,
    isReminder: false,
  },
  REFUND_RETURNED: {
    isTrue: ({ refund }) => refund?.status === 'FAILED',
    asksForMoney: false,
    isReminder: false,
    takesBack: 'REFUND_RECEIPT',
  },
  CANCELLATION: {
    isTrue: ({ paymentRequest }) => isReachedBy('CANCELLED_BY_MERCHANT', paymentRequest.status),
    asksForMoney: false,
    isReminder: false,
    takesBack: 'REQUEST',
  },
} as const satisfies Readonly<Record<string, KindFacts>>;

export type MessageKind = keyof typeof MESSAGE_KINDS;

export const KINDS = Object.keys(MESSAGE_KINDS) as readonly MessageKind[];

/** The kinds that ask for money, as an SQL list. */
export const ASKING_LIST = KINDS.filter((kind) => MESSAGE_KINDS[kind].asksForMoney)
  .map((kind) => `'${kind}'`)
  .join(', ');

/** The payer's address on a channel; null: there is none, or the payer was erased. */
export function addressOf(paymentRequest: PaymentRequest, channel: Channel): string | null {
  return channel === 'EMAIL' ? knownEmail(paymentRequest) : paymentRequest.payer.mobileNumber;
}

/**
 * The address to which a message goes; null: there is none, or a number without a country.
 *
 * @param smsCountryCode `SMS_COUNTRY_CODE`
 */
export function reachedAddress(
  paymentRequest: PaymentRequest,
  channel: Channel,
  smsCountryCode: string,
): string | null {
  const address = addressOf(paymentRequest, channel);
  return channel === 'EMAIL' || address === null ? address : smsNumber(address, smsCountryCode);
}
