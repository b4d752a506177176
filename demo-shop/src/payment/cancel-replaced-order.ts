import { type Client, ProblemError } from '@payment-requests/sdk';
import { awaitsPayment, type Order, orderPaymentOf, orderStateOf } from '../order.ts';
import type { OrderStore } from '../order-store.ts';

/**
 * Cancels the open payment request of an order that a new order replaces, so that the customer
 * cannot pay both.
 *
 * @returns false when the customer has confirmed the payment; the order then stays
 * @throws PaymentRequestsError when the service refuses the call or does not answer
 */
export async function cancelReplacedOrder(
  { orders, client }: { readonly orders: OrderStore; readonly client: Client },
  order: Order,
): Promise<boolean> {
  const { id: orderId, payment } = order;
  const state = orderStateOf(order);
  const isOpen = awaitsPayment(state) || state === 'SETTLING';
  if (payment === null || !isOpen) return true;
  try {
    const cancelled = await client.cancelPaymentRequest(payment.id, { reason: 'ABANDONED' });
    orders.savePayment(orderPaymentOf(cancelled, { orderId, attempt: payment.attempt }));
    return true;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    if (['ALREADY_EXPIRED', 'ALREADY_FAILED'].includes(error.code)) return true;
    if (['ALREADY_PAID', 'PAYMENT_IN_PROGRESS'].includes(error.code)) return false;
    throw error;
  }
}
