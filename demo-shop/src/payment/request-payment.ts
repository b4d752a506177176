import { type Client, centsToAmount } from '@payment-requests/sdk';
import {
  isPayable,
  merchantTransactionIdOf,
  type Order,
  orderPaymentOf,
  standingOf,
} from '../order.ts';
import type { OrderStore } from '../order-store.ts';

/** Contract: displayMessage is at most 250 characters. */
const LONGEST_MESSAGE = 250;

/**
 * Gets the page where an order is paid: the one it has, or a new one after that has failed.
 *
 * Called twice for the same attempt (a double click, a restart in between) it asks for the same
 * payment request: the idempotency key is made of the order and the attempt.
 *
 * @returns null for an order that must not be paid now
 * @throws PaymentRequestsError when the service cannot be asked
 */
export async function requestPayment(
  { orders, client }: { readonly orders: OrderStore; readonly client: Client },
  order: Order,
): Promise<{ readonly paymentLink: string } | null> {
  const standing = standingOf(order);
  if (!isPayable(standing)) return null;
  if (standing === 'AWAITING_PAYMENT' && order.payment) return order.payment;
  const attempt = (order.payment?.attempt ?? 0) + 1;
  const reference = merchantTransactionIdOf(order.id, attempt);
  const paymentRequest = await client.createPaymentRequest(
    {
      amount: centsToAmount(order.totalCents),
      payer: {
        name: order.name,
        ...(order.email !== null && { email: order.email }),
        ...(order.mobileNumber !== null && { mobileNumber: order.mobileNumber }),
        preferredLanguage: order.language,
      },
      merchantTransactionId: reference,
      invoiceNumber: String(order.number),
      displayMessage: describe(order),
    },
    { idempotencyKey: reference },
  );
  orders.savePayment(orderPaymentOf(paymentRequest, { orderId: order.id, attempt }));
  return paymentRequest;
}

function describe({ number, lines }: Order): string {
  const goods = lines.map(({ name, quantity }) => (quantity > 1 ? `${quantity} × ${name}` : name));
  const text = `Order ${number}: ${goods.join(', ')}`;
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE - 1)}…`;
}
