import type { MoneyMovement } from '#e-transfer/network-money.ts';
import type { RefundFee } from '#e-transfer/network-refunds.ts';
import type { RefundReason, RefundReasonCode, RefundStatus } from './statuses.ts';

/** Money that goes back to a payer, as it is stored (contract §11). */
export interface Refund {
  readonly id: string;
  readonly paymentRequestId: string;
  readonly merchantId: string;
  /** The merchant's own id; null: created under an Idempotency-Key, or by an operator. */
  readonly merchantRefundId: string | null;
  readonly amountCents: number;
  readonly status: RefundStatus;
  readonly statusReasonCode: RefundReasonCode | null;
  readonly reason: RefundReason;
  readonly message: string | null;
  readonly webhookUrl: string | null;
  /** Whether the amount is taken from the amount available of the payment request. */
  readonly isOfPayment: boolean;
  /** The network reference of the one movement to give back; null: those of the payment. */
  readonly movementReference: string | null;
  readonly operatorCaseId: string | null;
  /** The movement out; null until the network has executed the refund. */
  readonly payment: { readonly networkReference: string; readonly completedAt: Date } | null;
  /** The day of the merchant's limit, as in `2026-03-01`; null: no limit counts the refund. */
  readonly countedOn: string | null;
  readonly traceparent: string | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly events: readonly RefundEvent[];
}

export interface RefundEvent {
  readonly status: RefundStatus;
  readonly occurredAt: Date;
}

/** A cause of a refund's transition, with the data that it brings. */
export type RefundCause =
  | { readonly name: 'HANDED_OVER' | 'PAYMENT_RETURNED' }
  | {
      readonly name: 'EXECUTED';
      readonly movement: Omit<MoneyMovement, 'amountCents'>;
      readonly completedAt: Date;
      readonly feeCents?: RefundFee;
    }
  | { readonly name: 'REFUSED'; readonly reasonCode: RefundReasonCode }
  | {
      readonly name: 'MONEY_CAME_BACK';
      readonly movement: Omit<MoneyMovement, 'amountCents'>;
      readonly feeCents?: RefundFee;
    };

/** The payment request of a refund, with the sums that its row holds. All in cents. */
export interface RefundedPayment {
  readonly id: string;
  readonly merchantId: string;
  readonly isPaid: boolean;
  /** Money that arrived and belongs to the payment request. */
  readonly receivedCents: number;
  readonly returnedCents: number;
  readonly refundedCents: number;
  readonly refundingCents: number;
  readonly webhookSequence: number;
  /** The payer gets an e-mail about each refund. */
  readonly sendsReceipts: boolean;
}

/** The amount that can still be given back (contract §11). */
export function availableCents(payment: RefundedPayment): number {
  const { receivedCents, returnedCents, refundedCents, refundingCents } = payment;
  return Math.max(0, receivedCents - returnedCents - refundedCents - refundingCents);
}
