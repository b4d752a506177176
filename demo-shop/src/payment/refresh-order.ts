import { type Client, PaymentRequestsError } from '@payment-requests/sdk';
import { isOver, type Order, orderPaymentOf, orderStateOf } from '../order.ts';
import type { OrderStore } from '../order-store.ts';

/** A customer's page polls every 2 s; several open pages share one call to the service. */
const FRESH_MS = 1_500;
/** The most remembered payments; beyond it the oldest is dropped and read again when needed. */
const MOST_REMEMBERED = 1_000;

export interface RefreshedOrder {
  readonly order: Order;
  /** False when the service did not answer; the order is then the last known one. */
  readonly isCurrent: boolean;
}

export type RefreshOrder = (id: string) => Promise<RefreshedOrder | null>;

/**
 * Makes the function that reads an order and, while its payment is open, reads the payment request
 * from the service. The order's page is then current after a stop of the shop or a late webhook.
 * The function never releases an order.
 */
export function createOrderRefresh({
  orders,
  client,
  now,
}: {
  readonly orders: OrderStore;
  readonly client: Client;
  readonly now: () => Date;
}): RefreshOrder {
  const readings = new Map<string, { readonly at: number; readonly isCurrent: Promise<boolean> }>();

  /** @returns whether the service answered */
  async function readPayment({ id, attempt }: NonNullable<Order['payment']>, orderId: string) {
    try {
      const paymentRequest = await client.getPaymentRequest(id);
      orders.savePayment(orderPaymentOf(paymentRequest, { orderId, attempt }));
      return true;
    } catch (error) {
      if (!(error instanceof PaymentRequestsError)) throw error;
      console.error(`The payment of order ${orderId} cannot be read: ${error.message}`);
      return false;
    }
  }

  return async (id) => {
    const order = orders.findOrder(id);
    if (!order) return null;
    const { payment } = order;
    if (payment === null || isOver(orderStateOf(order))) return { order, isCurrent: true };
    const at = now().getTime();
    let latest = readings.get(payment.id);
    if (!latest || at - latest.at >= FRESH_MS) {
      latest = { at, isCurrent: readPayment(payment, id) };
      readings.delete(payment.id);
      readings.set(payment.id, latest);
      for (const [oldest] of readings) {
        if (readings.size <= MOST_REMEMBERED) break;
        readings.delete(oldest);
      }
    }
    const isCurrent = await latest.isCurrent;
    return { order: orders.findOrder(id) ?? order, isCurrent };
  };
}
