import { type Client, centsToAmount } from '@payment-requests/sdk';
import {
  awaitsPayment,
  isPayable,
  merchantTransactionIdOf,
  type Order,
  orderPathOf,
  orderPaymentOf,
  orderStateOf,
} from '../order.ts';
import type { OrderStore } from '../order-store.ts';
import { fill, TEXTS } from '../texts.ts';

export interface RequestPaymentDeps {
  readonly orders: OrderStore;
  readonly client: Client;
  /** The shop's own URL, without a path. */
  readonly shopUrl: string;
  /** ISO 4217. */
  readonly currency: string;
}

/** The service's bound of displayMessage (contract §4). */
const LONGEST_MESSAGE = 250;
/** Whole hours before the link expires. */
const REMINDERS = [3];

/**
 * Gives the payment link of an order: of its open payment request, or of a new payment request
 * after the last attempt failed.
 *
 * The idempotency key consists of the order and the attempt. A repeated call for an attempt (a
 * double click, a restart in between) therefore gets an equal payment request.
 *
 * @returns null for an order that cannot be paid now
 * @throws PaymentRequestsError when the service refuses the call or does not answer
 */
export async function requestPayment(
  { orders, client, shopUrl, currency }: RequestPaymentDeps,
  order: Order,
): Promise<{ readonly paymentLink: string } | null> {
  const state = orderStateOf(order);
  if (!isPayable(state)) return null;
  if (awaitsPayment(state) && order.payment) return order.payment;
  const attempt = (order.payment?.attempt ?? 0) + 1;
  const reference = merchantTransactionIdOf(order.id, attempt);
  // The customer of a later attempt is on the page and needs no e-mail.
  const isByLink = order.tender === 'PAY_LATER' && attempt === 1;
  const paymentRequest = await client.createPaymentRequest(
    {
      amount: centsToAmount(order.totalCents),
      // A service of another currency refuses it: customers pay the price that the pages show.
      currency,
      payer: {
        name: order.name,
        ...(order.email !== null && { email: order.email }),
        ...(order.mobileNumber !== null && { mobileNumber: order.mobileNumber }),
        preferredLanguage: order.language,
      },
      ...(isByLink && { deliveryMode: 'EMAIL', delivery: { reminders: REMINDERS } }),
      merchantTransactionId: reference,
      invoiceNumber: String(order.number),
      displayMessage: describe(order),
      // The payment pages link to it. The customer's return proves nothing: only the webhook does.
      returnUrl: `${shopUrl}${orderPathOf(order.id)}`,
    },
    { idempotencyKey: reference },
  );
  orders.savePayment(orderPaymentOf(paymentRequest, { orderId: order.id, attempt }));
  return paymentRequest;
}

function describe({ number, lines, language }: Order): string {
  const goods = lines.map(({ name, quantity }) => (quantity > 1 ? `${quantity} × ${name}` : name));
  const text = fill(TEXTS[language].order.message, { number, goods: goods.join(', ') });
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE - 1)}…`;
}
