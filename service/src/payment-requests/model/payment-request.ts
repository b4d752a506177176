import type { KeptValues } from './field-types.ts';
import type { FIELDS, PAYER_FIELDS } from './fields.ts';
import type { PlannedEntry } from './money/movements.ts';
import type { Sums } from './money/sums.ts';
import { planExpiry } from './plan-change.ts';
import type { CauseName, RefusalReasonCode, Status, StatusReasonCode } from './statuses.ts';

/** The values that a merchant asked for, validated: as sent, and null for an absent field. */
export interface NewPaymentRequest extends KeptValues<typeof FIELDS> {
  readonly amountCents: number;
  readonly payer: Payer;
  readonly emailTemplateId: string | null;
  readonly webhook: { readonly field: WebhookUrlField; readonly url: string } | null;
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
  | { readonly name: Exclude<CauseName, 'CREATED' | 'PAYMENT_SUCCEEDED' | 'PAYMENT_REFUSED'> }
  | {
      readonly name: 'PAYMENT_SUCCEEDED';
      /** All money that counts towards the amount asked for, with what arrived before. */
      readonly amountCents: number;
      /** The ledger's new entries; left out: one movement of `amountCents`. */
      readonly entries?: readonly PlannedEntry[];
      /** An operator accepts another amount than the one asked for. */
      readonly isAccepted?: true;
      readonly institution: string;
      readonly networkReference: string;
      readonly completedAt: Date;
    }
  | { readonly name: 'PAYMENT_REFUSED'; readonly reasonCode: RefusalReasonCode };

/**
 * The payment request as it is at `now`: an expiry that has passed counts, written or not. So no
 * status is wrong between two runs of the timer (contract §4, Read). Equal to the timer's writing.
 */
export function paymentRequestAt(paymentRequest: PaymentRequest, now: Date): PaymentRequest {
  return planExpiry(paymentRequest, now)?.after ?? paymentRequest;
}
