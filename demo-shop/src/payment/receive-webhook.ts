import {
  type AnyWebhookEvent,
  amountToCents,
  type PaymentRequest,
  type Refund,
} from '@payment-requests/sdk';
import { type Order, orderPaymentOf, readMerchantTransactionId } from '../order.ts';
import type { NotificationOutcome, OrderStore } from '../order-store.ts';

/**
 * Applies a verified webhook once; a repeat changes nothing. Only PAYMENT-COMPLETED releases
 * the order (interface §1).
 *
 * The transaction commits before the shop acknowledges the webhook. After a crash before the commit
 * the service sends the webhook again, and the shop applies it then.
 *
 * @returns the outcome; REPEAT for an event that the shop has already received
 */
export function receiveWebhook(
  { orders, now }: { readonly orders: OrderStore; readonly now: () => Date },
  event: AnyWebhookEvent,
): NotificationOutcome | 'REPEAT' {
  return orders.transaction(() => {
    const isRepeat = orders.hasNotification(event.id);
    const { orderId, outcome } = isRepeat ? REPEATED : handle(orders, event, now());
    orders.noteNotification({
      id: event.id,
      orderId,
      eventType: event.eventType,
      status: event.resource.status,
      outcome,
      firstReceivedAt: now().toISOString(),
    });
    return isRepeat ? 'REPEAT' : outcome;
  });
}

interface Handled {
  readonly orderId: string | null;
  readonly outcome: NotificationOutcome;
}

/** The store keeps the first notification's values and increments only its count. */
const REPEATED: Handled = { orderId: null, outcome: 'NOTED' };

/**
 * Decides by `eventType`. The status of the resource decides nothing: a payment request whose money
 * was taken back is still PAID.
 */
function handle(orders: OrderStore, event: AnyWebhookEvent, now: Date): Handled {
  // A test webhook is about no order of the shop.
  if (event.test) return UNKNOWN;
  switch (event.eventType) {
    case 'PAYMENT-COMPLETED':
      return complete(orders, event.resource, now);
    case 'PAYMENT-FAILED':
      return about(orders, event.resource, () => 'NOTED');
    case 'PAYMENT-RETURNED':
      return about(orders, event.resource, ({ id }) => {
        orders.markReturned(id, now);
        return 'RETURNED';
      });
    case 'REFUND-COMPLETED':
    case 'REFUND-FAILED':
      return noteRefund(orders, event.resource);
    default:
      // A type of a later version of the service.
      return UNKNOWN;
  }
}

const UNKNOWN: Handled = { orderId: null, outcome: 'UNKNOWN' };

function complete(orders: OrderStore, resource: PaymentRequest, now: Date): Handled {
  return about(orders, resource, (order) => {
    if (amountToCents(resource.amount) !== order.totalCents) return 'AMOUNT_DIFFERS';
    // Webhooks can overtake each other: the money was here, and is gone.
    if (order.returnedAt !== null) return 'RETURNED';
    // False when another payment request of the order was paid too; the staff refunds one.
    return orders.releaseOrder(order.id, now) ? 'RELEASED' : 'PAID_AGAIN';
  });
}

/** Stores the payment request, and gives the outcome for its order. */
function about(
  orders: OrderStore,
  resource: PaymentRequest,
  outcomeOf: (order: Order) => NotificationOutcome,
): Handled {
  // The reference finds the order, because a webhook can overtake the answer of the creation.
  const reference = readMerchantTransactionId(resource.merchantTransactionId);
  const order = reference && orders.findOrder(reference.orderId);
  if (!reference || !order) return UNKNOWN;
  orders.savePayment(orderPaymentOf(resource, reference));
  return { orderId: order.id, outcome: outcomeOf(order) };
}

/** Stores a refund of the shop, or one that the operator or another program made. */
function noteRefund(orders: OrderStore, refund: Refund): Handled {
  const payment = orders.findPayment(refund.paymentRequestId);
  if (!payment) return UNKNOWN;
  orders.refunds.save(refund, payment.orderId);
  return { orderId: payment.orderId, outcome: 'REFUND_NOTED' };
}
