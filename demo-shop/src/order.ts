import type { OneOf, PaymentRequest, PaymentRequestStatus } from '@payment-requests/sdk';

/** The ways to pay. */
export const TENDERS = ['E_TRANSFER', 'AT_PICKUP'] as const;
export type Tender = (typeof TENDERS)[number];

export interface OrderLine {
  readonly name: string;
  readonly quantity: number;
  readonly lineCents: number;
}

export interface NewOrder {
  readonly name: string;
  readonly email: string | null;
  readonly mobileNumber: string | null;
  readonly language: 'en' | 'fr';
  readonly tender: Tender;
  readonly lines: readonly OrderLine[];
  readonly totalCents: number;
}

export interface Order extends NewOrder {
  /** 128 random bits: the URL of an order's page gives access to the order. */
  readonly id: string;
  /** The order number that people use. */
  readonly number: number;
  readonly placedAt: string;
  /** The instant of the webhook with PAID, which allows the shop to pack the order. */
  readonly releasedAt: string | null;
  /** The latest attempt; null before the first attempt. */
  readonly payment: OrderPayment | null;
}

/** The shop's copy of a payment request. */
export interface OrderPayment {
  readonly id: string;
  readonly orderId: string;
  /** 1 for the order's first payment request, 2 for the next after a failure, and so on. */
  readonly attempt: number;
  readonly paymentLink: string;
  readonly status: OneOf<PaymentRequestStatus>;
  readonly statusMessage: string | null;
  readonly expiryDateTime: string;
  readonly institution: string | null;
  readonly networkReference: string | null;
  /** The number of statuses so far; the reading with more statuses is the newer one. */
  readonly eventCount: number;
}

/** Makes the shop's reference of a payment request. */
export function merchantTransactionIdOf(orderId: string, attempt: number): string {
  return `${orderId}-${attempt}`;
}

/** Reads the shop's reference; null for any other text. */
export function readMerchantTransactionId(
  text: string | undefined,
): { readonly orderId: string; readonly attempt: number } | null {
  const [, orderId, attempt] = /^([0-9a-f]{32})-(\d{1,6})$/.exec(text ?? '') ?? [];
  return orderId === undefined ? null : { orderId, attempt: Number(attempt) };
}

/** Makes the shop's copy from the answer of a creation, a reading or a webhook. */
export function orderPaymentOf(
  paymentRequest: PaymentRequest,
  { orderId, attempt }: { readonly orderId: string; readonly attempt: number },
): OrderPayment {
  const { id, paymentLink, status, statusReason, expiryDateTime, payment, events } = paymentRequest;
  return {
    id,
    orderId,
    attempt,
    paymentLink,
    status,
    statusMessage: statusReason?.message ?? null,
    expiryDateTime,
    institution: payment?.institution ?? null,
    networkReference: payment?.networkReference ?? null,
    eventCount: events.length,
  };
}

/** The state of an order, for its page. */
export type OrderState =
  | 'AT_PICKUP'
  | 'UNPAID'
  | 'AWAITING_PAYMENT'
  | 'SETTLING'
  | 'PAID_NOT_CONFIRMED'
  | 'RELEASED'
  | 'FAILED'
  | 'EXPIRED'
  | 'CANCELLED';

/**
 * Derives the state of an order. Only a webhook with PAID releases the order (interface §1). A
 * status that the shop read is shown and releases nothing.
 */
export function orderStateOf({ tender, releasedAt, payment }: Order): OrderState {
  if (releasedAt !== null) return 'RELEASED';
  if (tender === 'AT_PICKUP') return 'AT_PICKUP';
  switch (payment?.status) {
    case undefined:
      return 'UNPAID';
    case 'PAID':
      return 'PAID_NOT_CONFIRMED';
    case 'PROCESSING':
      return 'SETTLING';
    case 'FAILED':
      return 'FAILED';
    case 'EXPIRED':
      return 'EXPIRED';
    case 'CANCELLED':
      return 'CANCELLED';
    default:
      // CREATED, or a status that a later version of the service adds: the payment is open.
      return 'AWAITING_PAYMENT';
  }
}

/** States that end the polling. Money may still arrive late; a webhook then reports it. */
const OVER: ReadonlySet<OrderState> = new Set([
  'AT_PICKUP',
  'RELEASED',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
]);

export function isOver(state: OrderState): boolean {
  return OVER.has(state);
}

/** Whether the customer can pay now, with an open or a new payment request. */
export function isPayable(state: OrderState): boolean {
  return ['UNPAID', 'AWAITING_PAYMENT', 'FAILED', 'EXPIRED', 'CANCELLED'].includes(state);
}
