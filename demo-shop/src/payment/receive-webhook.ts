import {
  type AnyWebhookEvent,
  amountToCents,
  isRefundEvent,
  type PaymentEvent,
} from '@payment-requests/sdk';
import { orderPaymentOf, readMerchantTransactionId } from '../order.ts';
import type { NotificationOutcome, OrderStore } from '../order-store.ts';

/**
 * Applies a verified webhook once; a repeat changes nothing. Only PAID releases the order
 * (interface §1).
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

function handle(orders: OrderStore, event: AnyWebhookEvent, now: Date): Handled {
  if (isRefundEvent(event)) return { orderId: null, outcome: 'UNKNOWN' };
  return handlePayment(orders, event, now);
}

function handlePayment(orders: OrderStore, event: PaymentEvent, now: Date): Handled {
  const { eventType, resource, test } = event;
  // The reference finds the order, because a webhook can overtake the answer of the creation.
  const reference = readMerchantTransactionId(resource.merchantTransactionId);
  const order = reference && !test ? orders.findOrder(reference.orderId) : undefined;
  if (!reference || !order) return { orderId: null, outcome: 'UNKNOWN' };
  orders.savePayment(orderPaymentOf(resource, reference));
  // Money that went back leaves its payment request PAID.
  if (resource.status !== 'PAID' || eventType === 'PAYMENT-RETURNED') {
    return { orderId: order.id, outcome: 'NOTED' };
  }
  if (amountToCents(resource.amount) !== order.totalCents) {
    return { orderId: order.id, outcome: 'AMOUNT_DIFFERS' };
  }
  // False when another payment request of the order was paid too; the shop's staff refunds one.
  const isFirst = orders.releaseOrder(order.id, now);
  return { orderId: order.id, outcome: isFirst ? 'RELEASED' : 'PAID_AGAIN' };
}
