import { amountToCents, type Client, PaymentRequestsError } from '@payment-requests/sdk';
import type { OrderPayment } from '../order.ts';
import type { OrderStore } from '../order-store.ts';

/** An order has one payment, or a second one by mistake; more would be a fault of the shop. */
const MOST_PAYMENTS = 5;

/** The money of a payment, as the service knows it. */
export interface Refundable {
  readonly paymentId: string;
  readonly attempt: number;
  readonly receivedCents: number;
  readonly refundedCents: number;
  readonly returnedCents: number;
  readonly availableCents: number;
}

/**
 * Reads what can go back of each paid payment request of an order. The client ends each call after
 * seconds, also when the service goes silent.
 *
 * @returns null when the service does not answer
 */
export async function readRefundable(
  { orders, client }: { readonly orders: OrderStore; readonly client: Client },
  orderId: string,
): Promise<readonly Refundable[] | null> {
  const paid = orders.listPaid(orderId).slice(0, MOST_PAYMENTS);
  try {
    const found = await Promise.all(paid.map((payment) => readOne(client, payment)));
    return found.flatMap((refundable) => refundable ?? []);
  } catch (error) {
    if (!(error instanceof PaymentRequestsError)) throw error;
    console.error(`The money of order ${orderId} cannot be read: ${error.message}`);
    return null;
  }
}

async function readOne(client: Client, payment: OrderPayment): Promise<Refundable | null> {
  const { refundSummary } = await client.getPaymentRequest(payment.id);
  if (!refundSummary) return null;
  return {
    paymentId: payment.id,
    attempt: payment.attempt,
    receivedCents: amountToCents(refundSummary.amountReceived),
    refundedCents: amountToCents(refundSummary.amountRefunded),
    returnedCents: amountToCents(refundSummary.amountReturned),
    availableCents: amountToCents(refundSummary.amountAvailable),
  };
}
