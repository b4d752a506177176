import type { PaymentRequest, PaymentRequestStatus } from '@payment-requests/sdk';

/** How a customer chooses to pay. */
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
  /** Not to be guessed: whoever has the address of an order's page may see it. */
  readonly id: string;
  /** The name for people. */
  readonly number: number;
  readonly placedAt: string;
  /** When a webhook said PAID: from then on it is packed. */
  readonly releasedAt: string | null;
  /** The latest one; null before the first. */
  readonly payment: OrderPayment | null;
}

/** The shop's knowledge of a payment request. */
export interface OrderPayment {
  readonly id: string;
  readonly orderId: string;
  /** 1 for the order's first payment request, 2 after that one has failed, and so on. */
  readonly attempt: number;
  readonly paymentLink: string;
  readonly status: PaymentRequestStatus;
  readonly statusMessage: string | null;
  readonly expiryDateTime: string;
  readonly institution: string | null;
  readonly networkReference: string | null;
  /** How many statuses it has had: of two readings the one with more is the later. */
  readonly eventCount: number;
}

/** The reference under which the service keeps a payment request of ours. */
export function merchantTransactionIdOf(orderId: string, attempt: number): string {
  return `${orderId}-${attempt}`;
}

/** The other way round; null for what is not one of ours. */
export function readMerchantTransactionId(
  text: string | undefined,
): { readonly orderId: string; readonly attempt: number } | null {
  const [, orderId, attempt] = /^([0-9a-f]{32})-(\d{1,6})$/.exec(text ?? '') ?? [];
  return orderId === undefined ? null : { orderId, attempt: Number(attempt) };
}

/** The stored part of a payment request, from a creation, a reading or a webhook. */
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
export type Standing =
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
 * The standing of an order. Only the webhook releases it (interface §1: the merchant must not
 * fulfil before PAID arrives); what reading the status says is shown, and no more than that.
 */
export function standingOf({ tender, releasedAt, payment }: Order): Standing {
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
      // CREATED, and whatever a later version of the service may add: nothing is decided yet.
      return 'AWAITING_PAYMENT';
  }
}

/** Nothing more is to be waited for. Money may still come late; then the webhook tells. */
const OVER: ReadonlySet<Standing> = new Set([
  'AT_PICKUP',
  'RELEASED',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
]);

export function isOver(standing: Standing): boolean {
  return OVER.has(standing);
}

/** Whether the customer may be sent to a payment page now: an open one, or a new one. */
export function isPayable(standing: Standing): boolean {
  return ['UNPAID', 'AWAITING_PAYMENT', 'FAILED', 'EXPIRED', 'CANCELLED'].includes(standing);
}
