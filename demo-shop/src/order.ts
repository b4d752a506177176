import type { OneOf, PaymentRequest, PaymentRequestStatus } from '@payment-requests/sdk';
import type { Language } from './language.ts';

/** The ways to pay. */
export const TENDERS = ['E_TRANSFER', 'PAY_LATER', 'AT_PICKUP'] as const;
export type Tender = (typeof TENDERS)[number];

export interface OrderLine {
  readonly sku: string;
  /** In the customer's language. */
  readonly name: string;
  readonly quantity: number;
  readonly lineCents: number;
}

export interface NewOrder {
  readonly name: string;
  readonly email: string | null;
  readonly mobileNumber: string | null;
  /** The payment pages open in it. */
  readonly language: Language;
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
  /** The instant of the webhook PAYMENT-RETURNED: a bank took the money back. */
  readonly returnedAt: string | null;
  /** The money that arrived: twice the total when the customer paid twice. */
  readonly paidCents: number;
  /** The refunds that are COMPLETED. */
  readonly refundedCents: number;
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
  /** `statusReason.code`; its message is for the merchant, not for the customer. */
  readonly reasonCode: string | null;
  readonly expiryDateTime: string;
  readonly institution: string | null;
  readonly networkReference: string | null;
  /** The number of statuses so far; the reading with more statuses is the newer one. */
  readonly eventCount: number;
}

/** The path of an order's page. */
export function orderPathOf(orderId: string): string {
  return `/orders/${orderId}`;
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
    reasonCode: statusReason?.code ?? null,
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
  | 'LINK_SENT'
  | 'SETTLING'
  | 'PAID_NOT_CONFIRMED'
  | 'RELEASED'
  | 'MONEY_RETURNED'
  | 'DECLINED'
  | 'FAILED'
  | 'EXPIRED'
  | 'CANCELLED';

/**
 * Derives the state of an order. Only a webhook with PAID releases the order (interface §1). A
 * status that the shop read is shown and releases nothing. Money that was taken back outweighs a
 * release: the shop must not ship.
 */
export function orderStateOf({ tender, releasedAt, returnedAt, payment }: Order): OrderState {
  if (returnedAt !== null) return 'MONEY_RETURNED';
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
      return payment.reasonCode === 'PAYER_DECLINED' ? 'DECLINED' : 'FAILED';
    case 'EXPIRED':
      return 'EXPIRED';
    case 'CANCELLED':
      return 'CANCELLED';
    default:
      // CREATED, or a status that a later version of the service adds: the payment is open.
      return tender === 'PAY_LATER' && payment?.attempt === 1 ? 'LINK_SENT' : 'AWAITING_PAYMENT';
  }
}

const OVER: ReadonlySet<OrderState> = new Set([
  'AT_PICKUP',
  'RELEASED',
  'MONEY_RETURNED',
  'DECLINED',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
]);

/** Whether the polling ends. Money may still arrive late; a webhook then reports it. */
export function isOver(state: OrderState): boolean {
  return OVER.has(state);
}

/** The states of an order whose payment request is open. */
const AWAITING: ReadonlySet<OrderState> = new Set(['AWAITING_PAYMENT', 'LINK_SENT']);

/** Whether the order has a payment request that can be paid. */
export function awaitsPayment(state: OrderState): boolean {
  return AWAITING.has(state);
}

const PAYABLE: ReadonlySet<OrderState> = new Set([
  'UNPAID',
  ...AWAITING,
  'DECLINED',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
]);

/** Whether the customer can pay now, with an open or a new payment request. */
export function isPayable(state: OrderState): boolean {
  return PAYABLE.has(state);
}

/** Whether the goods are still to be paid online: the basket keeps them until then. */
export function keepsBasket(state: OrderState): boolean {
  return isPayable(state) || state === 'SETTLING';
}
