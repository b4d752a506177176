import type { Amount } from './amounts.ts';
import type { SimulatedReasonCode } from './errors/codes.ts';
import type {
  Delivery,
  DeliveryMode,
  OneOf,
  Payer,
  PaymentRequestStatus,
} from './payment-request.ts';

/** The fields of a creation. Only `amount` and `payer` are required. */
export interface NewPaymentRequest {
  /** Above zero. The client sends it exactly; see `Amount`. */
  readonly amount: Amount;
  /** ISO 4217. The service has one currency, also the default, and refuses every other. */
  readonly currency?: string | undefined;
  /** Always ECOMM, which is also the default. */
  readonly type?: 'ECOMM' | undefined;
  /** The person who pays. */
  readonly payer: Payer;
  /** Your own reference, which matches a webhook with an order: 1 to 64 characters of ASCII. */
  readonly merchantTransactionId?: string | undefined;
  /** Whether the service sends the payer the link: by e-mail, by SMS, or not at all (default). */
  readonly deliveryMode?: DeliveryMode | undefined;
  /** When the service sends the link, with reminders and a receipt. */
  readonly delivery?: Delivery | undefined;
  /** Your own id, to be sure of the credentials: the service refuses every other. */
  readonly merchant?: { readonly id?: string | undefined } | undefined;
  /** `YYYY-MM-DD`; informational. */
  readonly dueDate?: string | undefined;
  /** The end of the link: 5 minutes to 365 days ahead; default 24 hours. */
  readonly expiryDateTime?: string | Date | undefined;
  /** A text for the payer: at most 250 characters. */
  readonly displayMessage?: string | undefined;
  /** Your invoice number, which the payer sees: at most 50 characters. */
  readonly invoiceNumber?: string | undefined;
  /** Your business unit: at most 50 characters; the payer does not see it. */
  readonly businessUnit?: string | undefined;
  /** The template of its e-mails: one of yours, by its id. */
  readonly emailTemplate?: { readonly id?: string | undefined } | undefined;
  /** An HTTPS receiver of this payment request's webhooks, besides your endpoints. */
  readonly webhookUrl?: string | undefined;
  /** The HTTPS page to which the payer's pages lead back; production knows its origin. */
  readonly returnUrl?: string | undefined;
  /** Your own keys and values, at most 20; the service echoes them. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The fields that can change while a payment request is CREATED; `null` removes a field. */
export interface PaymentRequestChanges {
  /** The payer's addresses; what is SCHEDULED goes to the new one. */
  readonly payer?:
    | {
        readonly email?: string | null | undefined;
        readonly mobileNumber?: string | null | undefined;
      }
    | undefined;
  /** Replaces the whole member. */
  readonly delivery?: Delivery | null | undefined;
  /** A text for the payer: at most 250 characters. */
  readonly displayMessage?: string | null | undefined;
  /** Your invoice number, which the payer sees: at most 50 characters. */
  readonly invoiceNumber?: string | null | undefined;
  /** Your business unit: at most 50 characters. */
  readonly businessUnit?: string | null | undefined;
  /** `YYYY-MM-DD`; informational. `null` brings the default back: the date of the expiry. */
  readonly dueDate?: string | null | undefined;
  /** The end of the link. `null` brings the default back: 24 hours after the creation. */
  readonly expiryDateTime?: string | Date | null | undefined;
  /** An HTTPS receiver of this payment request's webhooks, besides your endpoints. */
  readonly webhookUrl?: string | null | undefined;
  /** The HTTPS page to which the payer's pages lead back. */
  readonly returnUrl?: string | null | undefined;
  /** Merged with what is there: a key with `null` is removed. */
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
}

/** The filters of a list; without filters it holds every payment request. */
export interface PaymentRequestFilters {
  /** Only this status, or one of these. An expiry that has passed counts as EXPIRED. */
  readonly status?:
    | OneOf<PaymentRequestStatus>
    | readonly OneOf<PaymentRequestStatus>[]
    | undefined;
  /** The network's identifier of the payment; only what is paid has one. */
  readonly networkReference?: string | undefined;
  /** Your own reference, as you gave it. */
  readonly merchantTransactionId?: string | undefined;
  /** Your invoice number, as you gave it. */
  readonly invoiceNumber?: string | undefined;
  /** Your business unit, as you gave it. */
  readonly businessUnit?: string | undefined;
  /** The tail of the payment link. */
  readonly shortCode?: string | undefined;
  /** The payer's e-mail address, in upper or lower case. */
  readonly payerEmail?: string | undefined;
  /** The payer's mobile number: only its digits are compared. */
  readonly payerMobileNumber?: string | undefined;
  /** Created at this instant or later. */
  readonly createdFrom?: string | Date | undefined;
  /** Created before this instant. */
  readonly createdTo?: string | Date | undefined;
  /** This amount or more. */
  readonly amountMin?: Amount | undefined;
  /** This amount or less. */
  readonly amountMax?: Amount | undefined;
}

/** The merchant's reason for a cancellation; the timeline shows it. */
export interface Cancellation {
  /** Why, in one word. */
  readonly reason?:
    | 'DUPLICATE'
    | 'REQUESTED_BY_CUSTOMER'
    | 'ABANDONED'
    | 'FRAUDULENT'
    | 'OTHER'
    | undefined;
  /** Why, in your own words: at most 250 characters. */
  readonly comment?: string | undefined;
}

/** An outcome in the sandbox: a status, or money that goes back, comes in part or comes twice. */
export interface Simulation {
  /** The status, or the movement of money. */
  readonly outcome:
    | Exclude<PaymentRequestStatus, 'CREATED' | 'CANCELLED'>
    | ('RETURNED' | 'PART_PAYMENT' | 'SECOND_PAYMENT');
  /** Only with FAILED; default PAYER_DECLINED. */
  readonly reason?: SimulatedReasonCode | undefined;
}
