import { amountToCents, type WebhookEvent } from '@payment-requests/sdk';
import { orderPaymentOf, readMerchantTransactionId } from '../order.ts';
import type { NotificationOutcome, OrderStore } from '../order-store.ts';

/**
 * Does what a verified webhook says, once: a repeat changes nothing. On PAID the order is released,
 * and on nothing else (interface §6, rule 2).
 *
 * Everything is written in one transaction, before the webhook is acknowledged: after a crash in
 * between it comes again and finds nothing done.
 *
 * @returns what came of it; REPEAT for one that was here before
 */
export function receiveWebhook(
  { orders, now }: { readonly orders: OrderStore; readonly now: () => Date },
  event: WebhookEvent,
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

/** Not written: the first one's row stays as it is, but for the count. */
const REPEATED: Handled = { orderId: null, outcome: 'NOTED' };

function handle(orders: OrderStore, { resource, test }: WebhookEvent, now: Date): Handled {
  // By our own reference, since a webhook can be faster than the answer of the creation.
  const reference = readMerchantTransactionId(resource.merchantTransactionId);
  const order = reference && !test ? orders.findOrder(reference.orderId) : undefined;
  if (!reference || !order) return { orderId: null, outcome: 'UNKNOWN' };
  orders.savePayment(orderPaymentOf(resource, reference));
  if (resource.status !== 'PAID') return { orderId: order.id, outcome: 'NOTED' };
  if (amountToCents(resource.amount) !== order.totalCents) {
    return { orderId: order.id, outcome: 'AMOUNT_DIFFERS' };
  }
  // False: an earlier payment request of the order was paid as well. A person gives money back.
  const isFirst = orders.releaseOrder(order.id, now);
  return { orderId: order.id, outcome: isFirst ? 'RELEASED' : 'PAID_AGAIN' };
}
