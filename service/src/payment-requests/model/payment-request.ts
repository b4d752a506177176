import type { RefusalReasonCode, Status, StatusReasonCode } from './statuses.ts';
import { STATUS_REASONS } from './statuses.ts';

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

/** What moves a payment request, with what each cause brings along. */
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

/** The reason that a cause leaves on the payment request, if it ends unpaid. */
export function reasonOf(cause: Cause): StatusReason | null {
  const code = reasonCodeOf(cause);
  return code && { code, message: STATUS_REASONS[code] };
}

function reasonCodeOf(cause: Cause): StatusReasonCode | null {
  switch (cause.name) {
    case 'PAYMENT_REFUSED':
      return cause.reasonCode;
    case 'EXPIRY_PASSED':
      return 'LINK_EXPIRED';
    case 'CANCELLED_BY_MERCHANT':
      return 'CANCELLED_BY_MERCHANT';
    default:
      return null;
  }
}

/** Whether the expiry has passed and nobody has written it down yet. */
export function isExpiryDue(paymentRequest: PaymentRequest, now: Date): boolean {
  return paymentRequest.status === 'CREATED' && paymentRequest.expiresAt <= now;
}

/**
 * The payment request as it is at `now`: expiry is judged when read, so that a status never lies
 * between two runs of the timer (contract §4, Read). Equal to what the timer will write.
 */
export function paymentRequestAt(paymentRequest: PaymentRequest, now: Date): PaymentRequest {
  if (!isExpiryDue(paymentRequest, now)) return paymentRequest;
  return {
    ...paymentRequest,
    status: 'EXPIRED',
    statusReason: reasonOf({ name: 'EXPIRY_PASSED' }),
    version: paymentRequest.version + 1,
    events: [...paymentRequest.events, { status: 'EXPIRED', occurredAt: paymentRequest.expiresAt }],
  };
}
