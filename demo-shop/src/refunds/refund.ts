import type { OneOf, RefundReason, RefundStatus } from '@payment-requests/sdk';

export const REFUND_REASONS = [
  'REQUESTED_BY_CUSTOMER',
  'DUPLICATE',
  'FRAUDULENT',
  'OTHER',
] as const satisfies readonly RefundReason[];

/** The service's bound of a refund's message (contract §11). */
export const LONGEST_MESSAGE = 140;

/** A refund that the staff asked for, stored before the call. */
export interface AskedRefund {
  /** The `merchantRefundId`: the service refunds once for it. */
  readonly id: string;
  readonly orderId: string;
  readonly paymentId: string;
  readonly amountCents: number;
  /** The amount available that the staff saw; null for a refund that the shop did not make. */
  readonly expectedCents: number | null;
  readonly reason: OneOf<RefundReason>;
  readonly message: string | null;
}

/**
 * The shop's copy of a refund. ASKED: no answer has arrived so far. REFUSED: the service made no
 * refund.
 */
export interface OrderRefund extends AskedRefund {
  readonly status: 'ASKED' | 'REFUSED' | RefundStatus;
  /** The problem's code of REFUSED, or `statusReason.code` of FAILED. */
  readonly reasonCode: string | null;
  readonly askedAt: string;
}

/** The path of the staff's page of an order. */
export function refundsPathOf(orderId: string): string {
  return `/orders/${orderId}/refunds`;
}

/** Makes the shop's id of a refund from the token of the page, within 64 characters. */
export function merchantRefundIdOf(orderNumber: number, token: string): string {
  return `refund-${orderNumber}-${token}`;
}
