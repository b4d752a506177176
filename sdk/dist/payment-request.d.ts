/** A known value, or one that a later version of the service adds; ignore unknown values. */
export type OneOf<Known extends string> = Known | (string & {});
/**
 * CREATED, PROCESSING, then another status; FAILED, EXPIRED and CANCELLED can become PAID. A later
 * version of the service may add a status: keep a default branch that releases nothing.
 */
export type PaymentRequestStatus = OpenStatus | 'PAID' | UnpaidStatus;
/** The outcome is not known yet. */
export type OpenStatus = 'CREATED' | 'PROCESSING';
/** The payment request ended unpaid; `statusReason` says why. */
export type UnpaidStatus = 'FAILED' | 'EXPIRED' | 'CANCELLED';
/**
 * Every reason why a payment request did not become PAID, to check your own texts against. The
 * message of a `statusReason` is for you; tell the payer in your own words.
 *
 * @example
 * const texts: Record<string, string> = { INSUFFICIENT_FUNDS: 'Your account holds too little.' };
 * const missing = STATUS_REASON_CODES.filter((code) => !Object.hasOwn(texts, code));
 * console.log(missing);
 */
export declare const STATUS_REASON_CODES: readonly ['PAYER_DECLINED', 'AUTHENTICATION_FAILED', 'INSUFFICIENT_FUNDS', 'ACCOUNT_RESTRICTED', 'AMOUNT_LIMIT_EXCEEDED', 'SUSPECTED_FRAUD', 'INSTITUTION_UNAVAILABLE', 'NETWORK_REJECTED', 'NETWORK_TIMEOUT', 'LINK_EXPIRED', 'CANCELLED_BY_MERCHANT'];
/** The reason why a payment request did not become PAID. */
export type StatusReasonCode = OneOf<(typeof STATUS_REASON_CODES)[number]>;
/** Whether and how the service sends the payer the link. */
export type DeliveryMode = 'NONE' | 'EMAIL' | 'SMS';
/** When the payer is sent the link, and what follows. */
export interface Delivery {
    /** At once by default; at the latest 1 hour before the expiry. */
    readonly sendDateTime?: string | undefined;
    /** Different whole hours before the expiry, 1 to 720, at most three. */
    readonly reminders?: readonly number[] | undefined;
    /** Whether reminders and SMS leave out 21:00 to 8:00 in the merchant's zone; the default. */
    readonly quietHours?: boolean | undefined;
    /** Whether the payer gets a receipt by e-mail once it is PAID, late too. */
    readonly receipt?: boolean | undefined;
}
/** The latest message that carries the link to the payer. */
export interface LinkMessage {
    readonly id: string;
    readonly status: MessageStatus;
    readonly reason?: string;
    /** When the status was reached; while SCHEDULED, when it is due. */
    readonly dateTime: string;
}
export type MessageStatus = OneOf<'SCHEDULED' | 'SENT' | 'DELIVERED' | 'BOUNCED' | 'FAILED' | 'SUPPRESSED' | 'CANCELLED'>;
/** A message to the payer. */
export interface Message {
    readonly id: string;
    readonly kind: OneOf<'REQUEST' | 'REMINDER' | 'RECEIPT' | 'REFUND_RECEIPT' | 'REFUND_RETURNED' | 'CANCELLATION'>;
    readonly channel: OneOf<'EMAIL' | 'SMS'>;
    readonly status: MessageStatus;
    readonly scheduledDateTime: string;
    readonly sentDateTime?: string;
    readonly attempts: number;
    /** The attempts of the last 90 days, oldest first. */
    readonly attemptLog: readonly {
        readonly readDateTime?: string;
        readonly endDateTime: string;
        readonly outcome: string;
    }[];
    /** Why it was not sent, or did not arrive. */
    readonly reason?: string;
    /** In the sandbox, which sends nothing: what a payer would read. */
    readonly preview?: {
        readonly subject?: string;
        readonly text: string;
    };
}
/** The person who pays: a name, and an e-mail address or a mobile number. */
export interface Payer {
    /** 1 to 100 characters. In the sandbox some names make an outcome happen. */
    readonly name: string;
    /** Your own reference of the payer's account: at most 64 characters. */
    readonly merchantAccountId?: string | undefined;
    /** The service needs an e-mail address or a mobile number. */
    readonly email?: string | undefined;
    /** 10 to 15 digits, beside `+ - ( )` and spaces. */
    readonly mobileNumber?: string | undefined;
    /** Two letters, or `xx-YY`. Others than en, fr, de, es, it, nl and pt give English. */
    readonly preferredLanguage?: string | undefined;
}
/** The reason of a payment request that did not become PAID. */
export interface StatusReason {
    readonly code: StatusReasonCode;
    /** The reason in words, for people. */
    readonly message: string;
}
/** The money that arrived: for receipts and reconciliation. */
export interface Payment {
    readonly institution: string;
    readonly networkReference: string;
    readonly completedDateTime: string;
    /** All money that has arrived; absent in webhooks of service versions before refunds. */
    readonly amountReceived?: number;
}
/** The money of a payment request that was ever PAID, and what went back of it. */
export interface RefundSummary {
    /** PENDING while a refund is open; else by sum. */
    readonly status: OneOf<'NONE' | 'PENDING' | 'PARTIAL' | 'FULL'>;
    readonly amountReceived: number;
    /** The network or a bank took it back. */
    readonly amountReturned: number;
    /** Refunds that are COMPLETED. */
    readonly amountRefunded: number;
    /** The most that a new refund can give back. */
    readonly amountAvailable: number;
}
/** The members of a payment request in every status. */
export interface PaymentRequestMembers {
    readonly id: string;
    readonly merchantTransactionId?: string;
    /** For arithmetic: `amountToCents(paymentRequest.amount)`. */
    readonly amount: number;
    /** ISO 4217: the one currency of the service. */
    readonly currency: string;
    readonly type: string;
    readonly deliveryMode?: string;
    readonly delivery?: Delivery;
    readonly payer: Payer;
    readonly dueDate?: string;
    readonly displayMessage?: string;
    readonly invoiceNumber?: string;
    readonly businessUnit?: string;
    readonly emailTemplate?: {
        readonly id?: string;
    };
    readonly webhookUrl?: string;
    readonly callbackUrl?: string;
    readonly returnUrl?: string;
    readonly metadata?: Readonly<Record<string, string>>;
    readonly merchant: {
        readonly id: string;
        readonly name: string;
    };
    readonly status: PaymentRequestStatus;
    readonly statusReason?: StatusReason;
    /** True when the money arrived after FAILED, EXPIRED or CANCELLED. */
    readonly paidLate?: boolean;
    readonly payment?: Payment;
    /** Absent before the first money, and in webhooks of service versions before refunds. */
    readonly refundSummary?: RefundSummary;
    readonly createdDateTime: string;
    readonly expiryDateTime: string;
    readonly shortCode: string;
    /** The URL to open for the payer in a pop-up window. */
    readonly paymentLink: string;
    readonly qrCodeLink: string;
    readonly events: readonly {
        readonly status: PaymentRequestStatus;
        readonly dateTime: string;
    }[];
    /** The latest message with the link, where the service sends it. */
    readonly linkMessage?: LinkMessage;
    /** In the sandbox: by how much calls have advanced its time. */
    readonly sandboxAdvancedSeconds?: number;
    readonly links: readonly {
        readonly rel: string;
        readonly href: string;
    }[];
}
/** A payment request whose outcome is not known yet. */
export interface OpenPaymentRequest extends PaymentRequestMembers {
    readonly status: OpenStatus;
}
/** A payment request whose money arrived. */
export interface PaidPaymentRequest extends PaymentRequestMembers {
    readonly status: 'PAID';
    readonly payment: Payment;
}
/** A payment request that ended unpaid. */
export interface UnpaidPaymentRequest extends PaymentRequestMembers {
    readonly status: UnpaidStatus;
    readonly statusReason: StatusReason;
}
/**
 * A payment request in an answer of the service or in a webhook. Its status narrows it: a PAID
 * payment request has a `payment`, an unpaid payment request has a `statusReason`.
 */
export type PaymentRequest = OpenPaymentRequest | PaidPaymentRequest | UnpaidPaymentRequest;
/** An entry of a payment request's timeline; its other members depend on its type. */
export interface TimelineEntry {
    readonly type: OneOf<'STATUS_CHANGED' | 'LINK_OPENED' | 'PAYER_STEP' | 'CANCELLATION_REQUESTED' | 'UPDATED' | 'PART_RECEIVED' | 'MONEY_RETURNED' | 'CASE_SETTLED' | 'MESSAGE_CHANGED' | 'SANDBOX_NOTE' | 'WEBHOOK_ATTEMPTED'>;
    readonly dateTime: string;
    /** The X-Request-Id of the call that caused the entry, if a call did. */
    readonly requestId?: string;
    readonly [member: string]: unknown;
}
