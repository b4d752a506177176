import { planExpiry } from './plan-change.ts';
import type { RefusalReasonCode, Status, StatusReasonCode } from './statuses.ts';

/** What a merchant asks for, checked: values as they were sent, absent ones as null. */
export interface NewPaymentRequest {
  readonly merchantTransactionId: string | null;
  readonly amountCents: number;
  readonly type: 'ECOMM';
  readonly deliveryMode: 'NONE' | null;
  readonly payer: Payer;
  /** `YYYY-MM-DD`, informational. */
  readonly dueDate: string | null;
  readonly displayMessage: string | null;
  readonly invoiceNumber: string | null;
  readonly businessUnit: string | null;
  readonly emailTemplateId: string | null;
  readonly webhook: { readonly field: WebhookUrlField; readonly url: string } | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface Payer {
  readonly name: string;
  readonly merchantAccountId: string | null;
  readonly email: string | null;
  readonly mobileNumber: string | null;
  readonly preferredLanguage: string | null;
}

/** The two names of the same field (contract §4): it is echoed under the one that was sent. */
export type WebhookUrlField = 'webhookUrl' | 'callbackUrl';

/** A payment request as it is stored. */
export interface PaymentRequest extends NewPaymentRequest {
  readonly id: string;
  readonly merchant: { readonly id: string; readonly name: string };
  readonly shortCode: string;
  /** The W3C trace in which the payment request was created; its webhooks go on with it. */
  readonly traceparent: string | null;
  readonly status: Status;
  readonly statusReason: StatusReason | null;
  readonly paidLate: boolean;
  readonly payment: Payment | null;
  readonly version: number;
  readonly webhookSequence: number;
  readonly events: readonly StatusEvent[];
}

export interface StatusReason {
  readonly code: StatusReasonCode;
  readonly message: string;
}

/** The money that arrived, as the network reported it. */
export interface Payment {
  readonly institution: string;
  readonly networkReference: string;
  readonly completedAt: Date;
}

export interface StatusEvent {
  readonly status: Status;
  readonly occurredAt: Date;
}

/** A cause of a transition, with the data that it brings. */
export type Cause =
  | { readonly name: 'PAYMENT_ACCEPTED' }
  | {
      readonly name: 'PAYMENT_SUCCEEDED';
      readonly amountCents: number;
      readonly institution: string;
      readonly networkReference: string;
      readonly completedAt: Date;
    }
  | { readonly name: 'PAYMENT_REFUSED'; readonly reasonCode: RefusalReasonCode }
  | { readonly name: 'EXPIRY_PASSED' }
  | { readonly name: 'CANCELLED_BY_MERCHANT' };

/**
 * The payment request as it is at `now`: an expiry that has passed counts, written or not. So no
 * status is wrong between two runs of the timer (contract §4, Read). Equal to the timer's writing.
 */
export function paymentRequestAt(paymentRequest: PaymentRequest, now: Date): PaymentRequest {
  return planExpiry(paymentRequest, now)?.after ?? paymentRequest;
}
