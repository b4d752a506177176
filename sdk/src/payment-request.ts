import type { Amount } from './amounts.ts';

/** A value that later versions of the service may add to: what is unknown must be ignored. */
export type OneOf<Known extends string> = Known | (string & {});

/** CREATED, PROCESSING, then one of the others; FAILED, EXPIRED and CANCELLED can become PAID. */
export type PaymentRequestStatus = OneOf<
  'CREATED' | 'PROCESSING' | 'PAID' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
>;

/** Why a payment request did not end as paid. */
export type StatusReasonCode = OneOf<
  | 'PAYER_DECLINED'
  | 'AUTHENTICATION_FAILED'
  | 'INSUFFICIENT_FUNDS'
  | 'ACCOUNT_RESTRICTED'
  | 'AMOUNT_LIMIT_EXCEEDED'
  | 'SUSPECTED_FRAUD'
  | 'INSTITUTION_UNAVAILABLE'
  | 'NETWORK_REJECTED'
  | 'NETWORK_TIMEOUT'
  | 'LINK_EXPIRED'
  | 'CANCELLED_BY_MERCHANT'
>;

/** Who is asked to pay: a name, and an e-mail address or a mobile number. */
export interface Payer {
  readonly name: string;
  readonly merchantAccountId?: string;
  readonly email?: string;
  readonly mobileNumber?: string;
  /** Two letters, or `xx-YY`. The payer's pages speak English and French. */
  readonly preferredLanguage?: string;
}

/** What a payment request is created with. Only `amount` and `payer` are needed. */
export interface NewPaymentRequest {
  /** Kept exact: see `Amount`. */
  readonly amount: Amount;
  /** Always ECOMM, which is also what is sent when it is left out. */
  readonly type?: 'ECOMM';
  readonly payer: Payer;
  /** Your own reference: how a webhook is matched with an order. */
  readonly merchantTransactionId?: string;
  readonly deliveryMode?: 'NONE';
  readonly merchant?: { readonly id?: string };
  /** `YYYY-MM-DD`; informational. */
  readonly dueDate?: string;
  /** When the link ends: 5 minutes to 365 days ahead, 24 hours if left out. */
  readonly expiryDateTime?: string | Date;
  /** Shown to the payer. */
  readonly displayMessage?: string;
  readonly invoiceNumber?: string;
  readonly businessUnit?: string;
  readonly emailTemplate?: { readonly id?: string };
  /** Where this payment request's webhooks go, beside your registered endpoints: HTTPS. */
  readonly webhookUrl?: string;
  /** Your own keys and values, echoed. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** What can be changed while a payment request is CREATED; `null` takes a field away. */
export interface PaymentRequestChanges {
  readonly displayMessage?: string | null;
  readonly invoiceNumber?: string | null;
  readonly businessUnit?: string | null;
  readonly dueDate?: string | null;
  readonly expiryDateTime?: string | Date | null;
  readonly webhookUrl?: string | null;
  readonly metadata?: Readonly<Record<string, string | null>> | null;
}

/** A payment request as the service answers it and as a webhook carries it. */
export interface PaymentRequest {
  readonly id: string;
  readonly merchantTransactionId?: string;
  /** For arithmetic: `amountToCents(paymentRequest.amount)`. */
  readonly amount: number;
  readonly type: string;
  readonly deliveryMode?: string;
  readonly payer: Payer;
  readonly dueDate?: string;
  readonly displayMessage?: string;
  readonly invoiceNumber?: string;
  readonly businessUnit?: string;
  readonly emailTemplate?: { readonly id?: string };
  readonly webhookUrl?: string;
  readonly callbackUrl?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly merchant: { readonly id: string; readonly name: string };
  readonly status: PaymentRequestStatus;
  readonly statusReason?: { readonly code: StatusReasonCode; readonly message: string };
  /** The money arrived after the payment request was over. */
  readonly paidLate?: boolean;
  readonly payment?: {
    readonly institution: string;
    readonly networkReference: string;
    readonly completedDateTime: string;
  };
  readonly createdDateTime: string;
  readonly expiryDateTime: string;
  readonly shortCode: string;
  /** Open it for the payer in a pop-up window. */
  readonly paymentLink: string;
  readonly qrCodeLink: string;
  readonly events: readonly { readonly status: PaymentRequestStatus; readonly dateTime: string }[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

/** Which payment requests a list holds; left out, all of them. */
export interface PaymentRequestFilters {
  readonly status?: PaymentRequestStatus | readonly PaymentRequestStatus[];
  readonly merchantTransactionId?: string;
  readonly invoiceNumber?: string;
  readonly businessUnit?: string;
  readonly shortCode?: string;
  readonly payerEmail?: string;
  readonly payerMobileNumber?: string;
  /** At this instant or later. */
  readonly createdFrom?: string | Date;
  /** Before this instant. */
  readonly createdTo?: string | Date;
  readonly amountMin?: Amount;
  readonly amountMax?: Amount;
}

/** Why a merchant cancels; kept for the timeline. */
export interface Cancellation {
  readonly reason?: 'DUPLICATE' | 'REQUESTED_BY_CUSTOMER' | 'ABANDONED' | 'FRAUDULENT' | 'OTHER';
  readonly comment?: string;
}

/** One thing that happened to a payment request; what else an entry has goes by its type. */
export interface TimelineEntry {
  readonly type: OneOf<
    | 'STATUS_CHANGED'
    | 'LINK_OPENED'
    | 'PAYER_STEP'
    | 'CANCELLATION_REQUESTED'
    | 'UPDATED'
    | 'WEBHOOK_ATTEMPTED'
  >;
  readonly dateTime: string;
  /** The X-Request-Id of the call that did it, if a call did. */
  readonly requestId?: string;
  readonly [member: string]: unknown;
}

/** What the sandbox is told to let happen to a payment request. */
export interface Simulation {
  readonly outcome: 'PAID' | 'FAILED' | 'EXPIRED' | 'PROCESSING';
  /** With FAILED. */
  readonly reason?: StatusReasonCode;
}
