import { type Client, PaymentRequestsError } from '@payment-requests/sdk';
import { isOver, type Order, orderPaymentOf, standingOf } from '../order.ts';
import type { OrderStore } from '../order-store.ts';

/** A customer's page asks every other second; several of them ask the service once. */
const FRESH_MS = 1_500;
/** Orders looked at lately; an older one is just asked for again. */
const MOST_REMEMBERED = 1_000;

export interface RefreshedOrder {
  readonly order: Order;
  /** Whether the service could be asked; if not, this is what was known before. */
  readonly isCurrent: boolean;
}

/**
 * Makes the function that reads an order and, while its payment is open, asks the service how that
 * stands: so that the order's page tells the truth although the shop was away or a webhook is late.
 * It never releases an order.
 */
export function createOrderRefresh({
  orders,
  client,
  now,
}: {
  readonly orders: OrderStore;
  readonly client: Client;
  readonly now: () => Date;
}): (id: string) => Promise<RefreshedOrder | null> {
  const asked = new Map<string, { readonly at: number; readonly asking: Promise<boolean> }>();

  /** @returns whether the service answered */
  async function ask({ id, attempt }: NonNullable<Order['payment']>, orderId: string) {
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
    if (payment === null || isOver(standingOf(order))) return { order, isCurrent: true };
    const at = now().getTime();
    let latest = asked.get(payment.id);
    if (!latest || at - latest.at >= FRESH_MS) {
      latest = { at, asking: ask(payment, id) };
      asked.delete(payment.id);
      asked.set(payment.id, latest);
      for (const [oldest] of asked) {
        if (asked.size <= MOST_REMEMBERED) break;
        asked.delete(oldest);
      }
    }
    const isCurrent = await latest.asking;
    return { order: orders.findOrder(id) ?? order, isCurrent };
  };
}
