import type { KeptValues } from './field-types.ts';
import type { FIELDS, PAYER_FIELDS } from './fields.ts';
import type { MessagePlan } from './messages/delivery.ts';
import type { LinkMessage } from './messages/link-message.ts';
import type { Sums } from './money/sums.ts';
import type { Status, StatusReasonCode } from './statuses.ts';

/** The values that a merchant asked for, validated: as sent, and null for an absent field. */
export interface NewPaymentRequest extends KeptValues<typeof FIELDS> {
  readonly amountCents: number;
  readonly payer: Payer;
  readonly emailTemplateId: string | null;
  readonly webhook: { readonly field: WebhookUrlField; readonly url: string } | null;
  /** null: the payer is sent nothing. */
  readonly messagePlan: MessagePlan | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface Payer extends KeptValues<typeof PAYER_FIELDS> {}

/** The two names of the webhook URL (contract §4): answers show the name that was sent. */
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
  readonly sums: Sums;
  readonly version: number;
  readonly webhookSequence: number;
  readonly events: readonly StatusEvent[];
  /** The latest message with the link; null: the service sends none. */
  readonly linkMessage: LinkMessage | null;
  /** By how much its due instants were brought forward; else by nothing, as in production. */
  readonly sandboxAdvancedUs?: number | null;
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
